import type { Page } from "@playwright/test";

/**
 * Who looks at a page: the newcomer at a site that nobody has set up, the early visitor and the early owner at one without boards; the
 * others at one with boards, posts and people.
 */
export type Onlooker = "newcomer" | "early visitor" | "early owner" | "visitor" | "member" | "owner";

/** A page that a site has, and what people wrote that it shows. `isSent`: as it comes back when its form is sent as it stands, with what is wrong. */
export type SitePage = { path: string; isSent?: boolean; as: Onlooker; data: string[] };

/** What of a site is opened by its address, and what people wrote in it. */
export type SiteParts = { boardUrl: string; boardId: string; postsUrl: string; userId: string; letter: string; data: string[] };

/** What is looked for and is nowhere. */
const NOWHERE = "nothing-is-called-this";

/** What comes after the address of a page whose form is to be sent. */
const SENT = " sent";

/** The pages of a site that has no parts yet, where people wrote `data`. */
export function earlyPages(data: string[] = []): SitePage[] {
  const owner = ["/", "/dashboard?notice=set-up", "/dashboard/boards", "/dashboard/users"];
  return [
    ...pagesAs("newcomer", ["/setup", "/setup#site", "/setup#board", `/setup${SENT}`], []),
    ...pagesAs("early visitor", ["/"], []),
    ...pagesAs("early owner", owner, data),
  ];
}

/** Every page of a site with these parts. */
export function everyPage({ boardUrl, boardId, postsUrl, userId, letter, data }: SiteParts): SitePage[] {
  const ofBoard = `/dashboard/boards/${boardId}`;
  const visitor = [
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
    "/signup",
    `/signup${SENT}`,
    "/reset-password",
    "/reset-password?token=x",
    "/confirm-address",
    "/confirm-address?token=x",
    "/api/v1/docs",
    "/nowhere",
  ];
  const owner = [
    "/",
    "/me",
    "/dashboard",
    "/dashboard?days=90",
    "/dashboard/boards",
    `/dashboard/boards?q=${NOWHERE}`,
    "/dashboard/boards/new",
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
  return [...pagesAs("visitor", visitor, data), ...pagesAs("member", ["/me", "/dashboard"], data), ...pagesAs("owner", owner, data)];
}

function pagesAs(as: Onlooker, paths: string[], data: string[]): SitePage[] {
  return paths.map((path) => ({ path: path.replace(SENT, ""), isSent: path.endsWith(SENT), as, data }));
}

/** Goes to a page, and waits until it shows what it is looked at for: the step that its address names, or what is wrong with its form. */
export async function open(page: Page, { path, isSent }: SitePage): Promise<void> {
  const [, step] = path.split("#");
  // From the same page only its step would change, perhaps before it listens.
  if (step) await page.goto("about:blank");
  await page.goto(path);
  if (step) await page.locator(`#${step}-title`).waitFor();
  if (!isSent) return;
  await page.locator("main form").evaluate((form: HTMLFormElement) => form.requestSubmit());
  await page.locator("main [role=alert]").waitFor();
}
