import type { Page } from "@playwright/test";
import { ACCOUNT_MENU, COMMAND_PALETTE, type Deed, FIRST_UNFOLDED, KEYBOARD_HELP, LANGUAGE_MENU, LINK_ASKED_FOR, SENT_BACK, SIGN_IN_REFUSED } from "./deeds.ts";

/**
 * Who looks at a page: the newcomer at a site that nobody has set up, the early visitor and the early owner at one without boards; the
 * others at one with boards, posts and people; the late ones when sign-up is closed, a board deleted, and an email could not be sent.
 */
export type Onlooker = "newcomer" | "early visitor" | "early owner" | "visitor" | "member" | "owner" | "late visitor" | "late owner";

/** A page that a site has, what somebody did on it, and what people wrote that it shows. */
export type SitePage = { path: string; deed?: Deed; as: Onlooker; data: string[] };

/** A page's address, with what is done there if anything is. */
type Place = string | [path: string, deed: Deed];

/** What of a site is opened by its address, and what people wrote in it. */
export type SiteParts = {
  boardUrl: string;
  boardId: string;
  postsUrl: string;
  /** A private board's. */
  secretUrl: string;
  userId: string;
  letter: string;
  /** Where mailed links lead that nobody has used yet. */
  links: { confirm: string; reset: string };
  data: string[];
};

/** What is looked for and is nowhere. */
const NOWHERE = "nothing-is-called-this";

/** The pages of a site that has no parts yet, where people wrote `data`. */
export function earlyPages(data: string[] = []): SitePage[] {
  const owner = ["/", "/dashboard?notice=set-up", "/dashboard/boards", "/dashboard/users"];
  return [
    ...pagesAs("newcomer", ["/setup", "/setup#site", "/setup#board", ["/setup", SENT_BACK]], []),
    ...pagesAs("early visitor", ["/"], []),
    ...pagesAs("early owner", owner, data),
  ];
}

/** Every page of a site with these parts. */
export function everyPage({ boardUrl, boardId, postsUrl, secretUrl, userId, letter, links, data }: SiteParts): SitePage[] {
  const ofBoard = `/dashboard/boards/${boardId}`;
  const visitor: Place[] = [
    "/",
    "/?page=2",
    "/?page=99",
    `/?q=${boardUrl}`,
    `/?q=${NOWHERE}`,
    `/boards/${boardUrl}`,
    `/boards/${postsUrl}`,
    "/search",
    `/search?q=${boardUrl}`,
    `/search?q=${NOWHERE}`,
    "/login",
    ["/login", SENT_BACK],
    ["/login", SIGN_IN_REFUSED],
    "/signup",
    ["/signup", SENT_BACK],
    "/reset-password",
    ["/reset-password", SENT_BACK],
    ["/reset-password", LINK_ASKED_FOR],
    "/reset-password?token=x",
    links.reset,
    "/confirm-address",
    "/confirm-address?token=x",
    links.confirm,
    "/api/v1/docs",
    ["/api/v1/docs", FIRST_UNFOLDED],
    "/nowhere",
  ];
  const owner: Place[] = [
    "/",
    `/boards/${secretUrl}`,
    "/me",
    "/dashboard",
    ["/dashboard", ACCOUNT_MENU],
    ["/dashboard", LANGUAGE_MENU],
    ["/dashboard", KEYBOARD_HELP],
    ["/dashboard", COMMAND_PALETTE],
    ["/dashboard", FIRST_UNFOLDED],
    "/dashboard?days=90",
    "/dashboard/boards",
    `/dashboard/boards?q=${NOWHERE}`,
    ["/dashboard/boards", FIRST_UNFOLDED],
    "/dashboard/boards/new",
    ["/dashboard/boards/new", FIRST_UNFOLDED],
    ["/dashboard/boards/new", SENT_BACK],
    ofBoard,
    `${ofBoard}/delete`,
    "/dashboard/users",
    `/dashboard/users?q=${NOWHERE}`,
    `/dashboard/users/${userId}`,
    "/dashboard/settings",
    "/dashboard/settings/branding",
    "/dashboard/settings/access",
    "/dashboard/settings/mail",
    "/dashboard/settings/data",
    "/dashboard/settings/about",
    "/dashboard/outbox",
    `/dashboard/outbox?q=${NOWHERE}`,
    "/dashboard/outbox?status=FAILED",
    letter,
  ];
  return [
    ...pagesAs("visitor", visitor, data),
    ...pagesAs("member", ["/?notice=signed-up", "/me", "/dashboard"], data),
    ...pagesAs("owner", owner, data),
    ...pagesAs("late visitor", ["/signup", "/login"], data),
    ...pagesAs("late owner", [`/dashboard/boards?notice=deleted&board=${boardId}`, "/dashboard", "/dashboard/outbox?status=FAILED", letter], data),
  ];
}

/** The address of every page, each once, of a site that has none of the parts. */
export function everyAddress(): string[] {
  const nobody = "0190a8a0-0000-7000-8000-000000000000";
  const boards = { boardUrl: "ideas", boardId: nobody, postsUrl: "posts", secretUrl: "secret" };
  const links = { confirm: "/confirm-address?token=y", reset: "/reset-password?token=y" };
  const pages = everyPage({ ...boards, userId: nobody, letter: `/dashboard/outbox/${nobody}`, links, data: [] });
  return [...new Set(pages.map(({ path }) => path))];
}

function pagesAs(as: Onlooker, places: Place[], data: string[]): SitePage[] {
  return places.map((place) => {
    const [path, deed] = typeof place === "string" ? [place] : place;
    return { path, deed, as, data };
  });
}

/** Goes to a page, waits until it shows the step that its address names, and does what is done there. */
export async function open(page: Page, { path, deed }: SitePage): Promise<void> {
  const [, step] = path.split("#");
  // From the same page only its step would change, perhaps before it listens.
  if (step) await page.goto("about:blank");
  await page.goto(path);
  if (step) await page.locator(`#${step}-title`).waitFor();
  await deed?.on(page);
}
