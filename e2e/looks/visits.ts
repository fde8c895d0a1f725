import { type Browser, expect, type Page } from "@playwright/test";
import type { Cookies } from "../fixtures.ts";
import { newestLetterTo } from "../letters.ts";
import { MANY_NAMES, makeBoards } from "../many.ts";
import { type Person, signIn, signUpByApi } from "../people.ts";
import { runToEnd } from "../process/run.ts";
import { startServer } from "../server.ts";
import { callApi, OWNER, setUpSite, type TestSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { databaseTemplate } from "../template.ts";
import { watch } from "../watch.ts";
import { earlyPages, everyPage, type Onlooker, type SitePage, type SiteParts } from "./pages.ts";

/** Somebody at a site, signed in where they have an account, and what they see of it. */
export type Visit = { as: Onlooker; site: TestSite; cookies: Cookies; pages: SitePage[] };

type Options = Pick<NonNullable<Parameters<typeof startServer>[0]>, "database"> & { browser: Browser; problems?: string[] };

/** A board of the generated site, the one with the most posts: more than a page of them. */
export const POSTS_URL = "feature-requests-demo";

/**
 * Everybody who looks at a site, one after another, while it grows: before it is set up, without boards, with more boards, posts
 * and people than a page of them holds, and behind that. Notes into `problems` what goes wrong unseen meanwhile. The server goes with the last of them.
 */
export async function* everyVisit({ browser, problems = [], database }: Options): AsyncGenerator<Visit> {
  let server = await startServer({ template: databaseTemplate(), database });
  const bare = { ...server, owner: { ...OWNER, authToken: "" } };
  try {
    yield visitOf("newcomer", bare, earlyPages());
    const site = await setUpSite(server);
    yield visitOf("early visitor", site, earlyPages());
    const newPage = async () => {
      const context = await browser.newContext({ baseURL: site.url, locale: "en-GB" });
      watch(context, problems);
      return context.newPage();
    };
    const { name, email, siteTitle } = site.owner;
    const earlyPage = await newPage();
    const earlyOwner = await signedIn(earlyPage, site.owner);
    await earlyPage.context().close();
    yield { ...visitOf("early owner", site, earlyPages([name, email, siteTitle])), cookies: earlyOwner };
    const [memberPage, ownerPage] = [await newPage(), await newPage()];
    const { member, parts } = await fill({ site, memberPage, ownerPage });
    const pages = everyPage(parts);
    const cookies = { member: await signedIn(memberPage, member), owner: await ownerPage.context().cookies() };
    await Promise.all([memberPage.context().close(), ownerPage.context().close()]);
    yield visitOf("visitor", site, pages);
    yield { ...visitOf("member", site, pages), cookies: cookies.member };
    yield { ...visitOf("owner", site, pages), cookies: cookies.owner };
    await callApi(site.url, "PATCH /settings/site", { body: { allowSignup: false }, token: site.owner.authToken });
    await callApi(site.url, `DELETE /boards/${parts.boardId}`, { token: site.owner.authToken });
    yield visitOf("late visitor", site, pages);
    await site.stop();
    await failLetter(site, parts.letter);
    server = await startServer({ from: server, env: { PORT: new URL(server.url).port } });
    yield { ...visitOf("late owner", { ...site, ...server }, pages), cookies: cookies.owner };
  } finally {
    await server.remove();
  }
}

function visitOf(as: Onlooker, site: TestSite, pages: SitePage[]): Visit {
  return { as, site, cookies: [], pages: pages.filter((page) => page.as === as) };
}

async function signedIn(page: Page, person: Person): Promise<Cookies> {
  await signIn(page, person);
  return page.context().cookies();
}

type Pages = { site: TestSite; memberPage: Page; ownerPage: Page };

/** Makes boards, posts, people and a letter. Leaves `ownerPage` signed in, on the letter. */
async function fill({ site, memberPage, ownerPage }: Pages): Promise<{ member: Person; parts: SiteParts }> {
  const { request } = memberPage.context();
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const made = await runToEnd("scripts/demo.ts", { DATA_DIR: site.dataDir, DATABASE_URL: site.databaseUrl }, ["--people=30", "--posts=120"]);
  expect(made).toMatchObject({ code: 0 });
  const description = "What we should build next.";
  const response = await request.post("/api/v1/boards", { data: { name: "Wishing well", description }, headers });
  const { board } = await response.json();
  const secret = await (await request.post("/api/v1/boards", { data: { name: "Behind the scenes", isPrivate: true }, headers })).json();
  await makeBoards(request, site.url, MANY_NAMES);
  const member = await signUpByApi(request);
  await signIn(ownerPage, site.owner);
  await request.post("/api/v1/auth/password/reset", { data: { email: member.email } });
  const reset = pathOf(await newestLetterTo(ownerPage, member.email, "reset-password"));
  const confirm = pathOf(await newestLetterTo(ownerPage, member.email));
  const letter = new URL(ownerPage.url()).pathname;
  const { user } = await (await request.get("/api/v1/users/me", { headers: { authorization: `Bearer ${member.authToken}` } })).json();
  const { name, email, siteTitle } = site.owner;
  const data = [board.name, board.url, secret.board.name, description, name, email, siteTitle, member.email, user.name, user.username];
  const ofBoards = { boardUrl: board.url, boardId: board.boardId, postsUrl: POSTS_URL, secretUrl: secret.board.url };
  return { member, parts: { ...ofBoards, userId: user.userId, letter, links: { confirm, reset }, data } };
}

function pathOf({ link }: { link: string }): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Makes the letter at an address one that could not be sent, behind a server that is stopped. */
async function failLetter(site: TestSite, path: string): Promise<void> {
  const refusal = "550 5.1.1 The address is not known here";
  const mailId = path.split("/").at(-1);
  await writeRows(site, `UPDATE "Mail" SET "status" = 'FAILED', "attempts" = 8, "lastError" = '${refusal}', "sentAt" = NULL WHERE "mailId" = '${mailId}'`);
}
