import { startServer } from "../server.ts";
import { callApi, OWNER, startSite, type TestSite } from "../site.ts";
import { addBoards, writeRows } from "../stored.ts";
import { databaseTemplate } from "../template.ts";

/** Texts that leave no place to break a line, or that run the other way, each as long as a rule lets it be. */
const SCRIPTS = ["W", "m", "💡", "👩‍👩‍👧‍👦", "ل", "版"];
/** Of which more has to be said than of one that is readable. */
const FAINT = "ffe600";
const EMOJI_AND_LETTERS = "💡 W";

/** How many boards a site at its limits has. */
export const MANY_BOARDS = 10_000;

/** `text` as often as it fits into `length` characters, as the rules count them. */
export function filled(text: string, length: number): string {
  return text.repeat(Math.floor(length / [...text].length));
}

/** What of a site at its limits is opened by its address. */
export type SiteAtItsLimits = TestSite & { boardIds: string[]; boardUrls: string[]; userIds: string[] };

/** Starts a site whose names and texts are as long as they may be, with posts on its first boards and `MANY_BOARDS` boards in all. */
export async function startSiteAtItsLimits(): Promise<SiteAtItsLimits> {
  const site = await startSite({ template: databaseTemplate() });
  const api = (operation: string, body: object, token = site.owner.authToken) => callApi(site.url, operation, { body, token });
  await api("PATCH /settings/site", { title: filled("W", 100), description: filled("m", 500), accentColor: FAINT });
  const boards: { boardId: string; url: string }[] = [];
  for (const text of [EMOJI_AND_LETTERS, ...SCRIPTS]) {
    const name = text === EMOJI_AND_LETTERS ? `💡 ${filled("W", 58)}` : filled(text, 60);
    boards.push((await api("POST /boards", { name, description: filled(text.replace("💡 ", ""), 500) })).board);
  }
  const userIds: string[] = [];
  for (const [index, text] of SCRIPTS.entries()) {
    const email = `${"w".repeat(62)}${index}@${"m".repeat(60)}.${"m".repeat(60)}.example.com`;
    const { user } = await api("POST /auth/signup", { email, password: OWNER.password });
    await api("PATCH /users/me", { name: filled(text, 60) }, user.authToken);
    userIds.push(user.userId);
  }
  await site.stop();
  await writeRows(site, postsOn(boards[0]?.boardId ?? ""));
  await addBoards(site, MANY_BOARDS - boards.length);
  const server = await startServer({ from: site });
  return { ...site, ...server, boardIds: boards.map(({ boardId }) => boardId), boardUrls: boards.map(({ url }) => url), userIds };
}

/** A post in each of the scripts, and one of words, as somebody would have written them. */
function postsOn(boardId: string): string {
  const titles = [...SCRIPTS.map((text) => filled(text, 300)), "https://feedback.example.com/".padEnd(300, "w"), filled("word ", 300).trim()];
  const rows = titles.map((title) => `(gen_random_uuid(), '${boardId}', '${title}', now())`);
  return `INSERT INTO "Post" ("postId", "boardId", "title", "createdAt") VALUES ${rows.join(", ")};
    UPDATE "Board" SET "postCount" = 2000000000, "lastPostAt" = now() WHERE "boardId" = '${boardId}'`;
}
