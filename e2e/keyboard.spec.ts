import type { Page } from "@playwright/test";
import { reportBar } from "#lib/testing/bars";
import { expect, test } from "./fixtures.ts";
import { enter, press, tabTo, typeInto } from "./keys.ts";
import { newestLetterTo } from "./letters.ts";
import { MANY_NAMES, makeBoards } from "./many.ts";
import { expectSignedIn, expectSignedOut, formButton, menuCalled, newPerson, type Person, unique } from "./people.ts";
import { OWNER } from "./site.ts";
import { plain, t } from "./words.ts";

type Flow = [name: string, go: () => Promise<void>];

const heading = (page: Page, text: string) => expect(page.getByRole("heading", { level: 1 })).toHaveText(text);
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true }).filter({ visible: true });
const told = (page: Page, text: string) => expect(page.getByRole("main").getByRole("status").filter({ hasText: text })).toBeVisible();

async function typeCredentials(page: Page, { email, password }: Person): Promise<void> {
  await typeInto(page, page.getByLabel(t("fields.email")), email);
  await typeInto(page, page.getByLabel(t("fields.password"), { exact: true }), password);
}

/** The wizard: step by step, or, where no script makes steps of it, from top to bottom. */
async function setUp(page: Page, hasSteps: boolean): Promise<void> {
  const goOn = async (next: string) => {
    const title = page.getByRole("heading", { name: next });
    if (hasSteps) await enter(page, formButton(page, t("setup.steps.next")), () => expect(title).toBeVisible());
  };
  await page.goto("/");
  await goOn(t("setup.steps.site"));
  await typeInto(page, page.getByLabel(t("fields.siteTitle")), OWNER.siteTitle);
  await typeInto(page, page.getByLabel(t("fields.name"), { exact: true }), OWNER.name);
  await typeCredentials(page, OWNER);
  await goOn(t("setup.steps.board"));
  await tabTo(page, page.getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowDown");
  await enter(page, formButton(page, t("setup.submit")), () => expectSignedIn(page));
}

async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto("/");
  await enter(page, page.getByRole("banner").getByRole("link", { name: t("site.signUp") }), () => heading(page, t("signup.title")));
  await typeCredentials(page, person);
  await press(page, "Enter", () => expectSignedIn(page));
}

async function signOut(page: Page, closesByEscape: boolean): Promise<void> {
  const menu = menuCalled(page, t("site.accountMenu"));
  const item = page.getByRole("button", { name: t("site.signOut") });
  await enter(page, menu, () => expect(item).toBeVisible());
  if (closesByEscape) {
    await press(page, "Escape", () => expect(item).toBeHidden());
    await expect(menu).toBeFocused();
    await enter(page, menu, () => expect(item).toBeVisible());
  }
  await enter(page, item, () => expectSignedOut(page));
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/");
  await enter(page, page.getByRole("link", { name: t("site.signIn") }), () => heading(page, t("login.title")));
  await typeCredentials(page, person);
  await press(page, "Enter", () => expectSignedIn(page));
}

async function confirmAddress(page: Page, owner: Page, { email }: Person): Promise<void> {
  const { link: address } = await newestLetterTo(owner, email);
  await page.goto(address);
  await enter(page, formButton(page, t("confirm.submit")), () => heading(page, t("confirm.done.title")));
  await enter(page, link(page, t("confirm.done.home")), () => heading(page, OWNER.siteTitle));
}

async function resetPassword(page: Page, owner: Page, person: Person): Promise<void> {
  await page.goto("/login");
  await enter(page, page.getByRole("link", { name: t("login.forgot") }), () => heading(page, t("reset.title")));
  await typeInto(page, page.getByLabel(t("fields.email")), person.email);
  await press(page, "Enter", () => told(page, person.email));
  const { link: address } = await newestLetterTo(owner, person.email, "reset-password");
  await page.goto(address);
  await typeInto(page, page.getByLabel(t("fields.newPassword")), "a whole new password");
  await enter(page, formButton(page, t("reset.new.submit")), () => told(page, t("login.passwordChanged")));
}

async function browseBoards(page: Page): Promise<void> {
  const names = page.getByRole("main").getByRole("listitem").getByRole("heading", { level: 3 });
  await page.goto("/");
  await enter(page, link(page, t("home.sort.asc")), () => expect(page).toHaveURL("/?created=asc"));
  await enter(page, link(page, t("pages.next")), () => expect(page).toHaveURL("/?created=asc&page=2"));
  const last = ((await names.last().textContent()) ?? "").trim();
  await enter(page, names.last().getByRole("link"), () => heading(page, last));
  // A browser without a window has no key for it.
  await page.goBack();
  await expect(page).toHaveURL("/?created=asc&page=2");
  await enter(page, link(page, t("pages.previous")), () => expect(page).toHaveURL("/?created=asc"));
}

async function searchBoards(page: Page, name: string, followsTyping: boolean): Promise<void> {
  await page.goto("/");
  await enter(page, page.getByRole("banner").getByRole("link", { name: t("site.search") }), () => heading(page, t("search.title")));
  await typeInto(page, page.getByRole("searchbox"), name);
  if (!followsTyping) await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 3 }).first()).toContainText(name);
  if (followsTyping) await expect(page.getByRole("searchbox")).toBeFocused();
  await enter(page, link(page, name), () => heading(page, name));
}

async function createBoard(page: Page, name: string): Promise<void> {
  await page.goto("/dashboard");
  const boards = page.getByRole("navigation", { name: t("dashboard.parts.label"), exact: true }).getByRole("link", { name: t("dashboard.parts.boards") });
  await enter(page, boards.filter({ visible: true }), () => heading(page, t("boards.title")));
  await enter(page, link(page, t("boards.create")), () => heading(page, t("boards.create")));
  await typeInto(page, page.getByLabel(t("fields.name")), name);
  await tabTo(page, page.getByRole("main").locator("[name=color]:checked"));
  await page.keyboard.press("ArrowLeft");
  await enter(page, formButton(page, t("boards.form.create")), () => told(page, t("boards.notices.created")));
}

async function editBoard(page: Page, name: string, renamed: string, followsTyping: boolean): Promise<void> {
  await page.goto("/dashboard/boards");
  await typeInto(page, page.getByRole("searchbox"), name);
  if (!followsTyping) await page.keyboard.press("Enter");
  await enter(page, link(page, t("boards.editNamed", { name })), () => heading(page, plain("boards.editTitle", { name })));
  await typeInto(page, page.getByLabel(t("fields.name")), " ");
  const summary = page.getByRole("main").getByRole("alert");
  await press(page, "Enter", () => expect(summary).toBeFocused());
  await enter(page, summary.getByRole("link"), () => expect(page.getByLabel(t("fields.name"))).toBeFocused());
  await typeInto(page, page.getByLabel(t("fields.name")), renamed);
  await tabTo(page, page.getByLabel(t("fields.isPrivate")));
  await page.keyboard.press("Space");
  await expect(page.getByLabel(t("fields.isPrivate"))).toBeChecked();
  await enter(page, formButton(page, t("boards.form.save")), () => told(page, t("boards.notices.saved")));
}

async function deleteAndRestoreBoard(page: Page, name: string): Promise<void> {
  await page.goto(`/dashboard/boards?${new URLSearchParams({ q: name })}`);
  const item = page.getByRole("link", { name: t("boards.deleteNamed", { name }) });
  await enter(page, menuCalled(page, t("boards.moreNamed", { name })), () => expect(item).toBeVisible());
  await enter(page, item, () => heading(page, plain("boards.deleteQuestion", { name })));
  await enter(page, formButton(page, t("boards.deleteSubmit", { count: 0 })), () => told(page, plain("boards.deletedNamed", { name })));
  await enter(page, formButton(page, t("boards.undoNamed", { name })), () => told(page, t("boards.notices.restored")));
}

async function changeTitle(page: Page, title: string): Promise<void> {
  await page.goto("/dashboard/settings");
  await typeInto(page, page.getByLabel(t("fields.title")), title);
  await press(page, "Enter", () => told(page, t("settings.notices.saved")));
  await expect(page.getByRole("banner").getByRole("link", { name: title })).toBeVisible();
}

test("U4, U5: twelve flows by the keyboard alone, its focus never lost and always seen", async ({ startOwnServer, newVisitor, request, javaScriptEnabled }) => {
  test.setTimeout(240_000);
  const hasScript = javaScriptEnabled !== false;
  const { url } = await startOwnServer();
  const [owner, member, person] = [await newVisitor({ url }), await newVisitor({ url }), newPerson()];
  const [name, renamed, listed] = [unique("Kites"), unique("Swings"), unique("Marzipan")];
  for (const page of [owner, member]) page.setDefaultTimeout(10_000);
  const flows: Flow[] = [
    ["set the site up", () => setUp(owner, hasScript)],
    ["sign up", () => signUp(member, person)],
    ["sign out", () => signOut(member, hasScript)],
    ["sign in", () => signIn(member, person)],
    ["confirm the address", () => confirmAddress(member, owner, person)],
    [
      "reset the password",
      async () => {
        await member.context().clearCookies();
        await resetPassword(member, owner, person);
      },
    ],
    [
      "browse boards",
      async () => {
        await makeBoards(request, url, [...MANY_NAMES, listed]);
        await browseBoards(member);
      },
    ],
    ["search boards", () => searchBoards(member, listed, hasScript)],
    ["create a board", () => createBoard(owner, name)],
    ["edit a board", () => editBoard(owner, name, renamed, hasScript)],
    ["delete and restore a board", () => deleteAndRestoreBoard(owner, renamed)],
    ["change the title", () => changeTitle(owner, unique("Title"))],
  ];
  const failed: string[] = [];
  for (const [flow, go] of flows) await test.step(flow, () => go().catch((error: Error) => void failed.push(`${flow}: ${error.message}`)));

  const passed = flows.length - failed.length;
  const [bar, measure] = hasScript ? ["U5", "flows by keyboard alone"] : ["U4", "flows with JavaScript off, by keyboard alone"];
  reportBar({ bar, measure, figure: `${passed}/${flows.length}`, ok: failed.length === 0 });
  expect(failed).toEqual([]);
});
