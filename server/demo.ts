import { names, uniqueNamesGenerator } from "unique-names-generator";
import { v7 as createUuid } from "uuid";
import { z } from "zod";
import { DAY_MS } from "#lib/days";
import { db, openDriver, type Tx } from "#lib/db";
import { openConnection } from "#lib/db/connection";
import { atLeisure } from "#lib/db/leisure";
import { AppError } from "#lib/errors";
import { urlFromName } from "./boards/urls.ts";
import { boardSearchText } from "./boards.ts";
import { DEMO_BOARDS, demoTitle, pick, type Random, seededRandom } from "./demo/texts.ts";
import { lockSite, THE_SITE } from "./settings.ts";
import { personSearchText } from "./users.ts";

/** How large a generated site is to be. */
const demoSize = z.object({
  people: z.coerce.number("must be a number").int().min(1).max(100_000).default(120),
  posts: z.coerce.number("must be a number").int().min(0).max(5_000_000).default(400),
  boards: z.coerce.number("must be a number").int().min(1).max(100_000).default(DEMO_BOARDS.length),
  seed: z.coerce.number("must be a number").int().default(1),
});

type Progress = (done: number, total: number) => void;
type DemoBoard = { boardId: string; weight: number; createdAt: Date };

const HISTORY_MS = 180 * DAY_MS;
// Large enough to be fast, small enough for a statement's parameters and for others to get their turn on the one embedded connection.
const BATCH = 500;
/** No password gives this hash, so nobody signs in as a generated person. */
const NO_PASSWORD = "generated";

/**
 * Fills the site with generated boards, people and posts, marked as such. Returns how many of each.
 * @throws AppError FORBIDDEN before set-up, or when a generated site is there already
 * @throws ZodError if `input` is not a `demoSize`
 */
export async function createDemo(input: unknown, onProgress: Progress): Promise<{ boards: number; people: number; posts: number }> {
  const { people, posts, boards: boardCount, seed } = demoSize.parse(input);
  if (!(await db.siteSettings.findFirst())) throw new AppError("FORBIDDEN", "Set the site up first: open /setup.");
  const random = seededRandom(seed);
  const total = boardCount + people + posts;
  const boards = await createBoards(boardCount, random, (done) => onProgress(done, total));
  const authorIds = await createPeople(people, random, (done) => onProgress(boardCount + done, total));
  await createPosts(posts, { random, boards, authorIds, onProgress: (done) => onProgress(boardCount + people + done, total) });
  await settle();
  return { boards: boardCount, people, posts };
}

/** Removes everything that `createDemo` made, and nothing else. Returns how many boards and people that were. */
export async function removeDemo(): Promise<{ boards: number; people: number }> {
  return atLeisure(async (tx) => {
    await lockSite(tx);
    const visible = await tx.board.groupBy({ by: ["isPrivate"], where: { isDemo: true, deletedAt: null }, _count: true });
    const countOf = (isPrivate: boolean) => visible.find((group) => group.isPrivate === isPrivate)?._count ?? 0;
    const boards = await tx.board.deleteMany({ where: { isDemo: true } });
    const people = await tx.user.deleteMany({ where: { isDemo: true } });
    if (boards.count > 0) {
      const data = { publicBoardCount: { decrement: countOf(false) }, privateBoardCount: { decrement: countOf(true) } };
      await tx.siteSettings.update({ where: THE_SITE, data });
    }
    return { boards: boards.count, people: people.count };
  });
}

async function createBoards(count: number, random: Random, onProgress: (done: number) => void): Promise<DemoBoard[]> {
  const made: DemoBoard[] = [];
  while (made.length < count) {
    const boards = Array.from({ length: Math.min(BATCH, count - made.length) }, (_, index) => demoBoard(made.length + index, random));
    await atLeisure(async (tx) => {
      await lockSite(tx);
      if (made.length === 0) await refuseSecondDemo(tx);
      await writeBoards(tx, boards, random);
    });
    made.push(...boards);
    onProgress(made.length);
  }
  return made;
}

async function refuseSecondDemo(tx: Tx): Promise<void> {
  if (await tx.board.findFirst({ where: { isDemo: true } }))
    throw new AppError("FORBIDDEN", "The demo is there already. Remove it first: npm run demo -- --remove");
}

type NewDemoBoard = DemoBoard & { name: string; description: string; color: string };

/** The boards that a small team would make, in their order; then more of the same kinds, numbered. */
function demoBoard(index: number, random: Random): NewDemoBoard {
  const { name, ...kind } = DEMO_BOARDS[index % DEMO_BOARDS.length] as (typeof DEMO_BOARDS)[number];
  const round = Math.floor(index / DEMO_BOARDS.length) + 1;
  const createdAt = new Date(Date.now() - HISTORY_MS - (index % 1000) * DAY_MS - random() * DAY_MS);
  return { boardId: uuidAt(createdAt, random), ...kind, name: round === 1 ? name : `${name} ${round}`, createdAt };
}

async function writeBoards(tx: Tx, boards: NewDemoBoard[], random: Random): Promise<void> {
  await tx.siteSettings.update({ where: THE_SITE, data: { publicBoardCount: { increment: boards.length } } });
  const { _max } = await tx.board.aggregate({ _max: { position: true } });
  const first = (_max.position ?? 0) + 1;
  const suggested = boards.map(({ name }) => urlFromName(name));
  const taken = new Set((await tx.boardUrl.findMany({ where: { url: { in: suggested } }, select: { url: true } })).map(({ url }) => url));
  const urls = suggested.map((url) => (taken.has(url) ? `${url}-${Math.floor(random() * 1e6)}` : url));
  await tx.board.createMany({
    data: boards.map(({ weight, ...board }, index) => ({
      ...board,
      url: urls[index] as string,
      searchText: boardSearchText(board),
      position: first + index,
      isDemo: true,
    })),
  });
  await tx.boardUrl.createMany({ data: boards.map(({ boardId, createdAt }, index) => ({ boardId, url: urls[index] as string, createdAt })) });
}

async function createPeople(count: number, random: Random, onProgress: (done: number) => void): Promise<string[]> {
  const userIds: string[] = [];
  while (userIds.length < count) {
    const people = Array.from({ length: Math.min(BATCH, count - userIds.length) }, (_, index) => demoPerson(userIds.length + index, random));
    await db.user.createMany({ data: people });
    userIds.push(...people.map(({ userId }) => userId));
    onProgress(userIds.length);
  }
  return userIds;
}

function demoPerson(index: number, random: Random) {
  const createdAt = instantBefore(random, HISTORY_MS);
  const name = uniqueNamesGenerator({ dictionaries: [names, names], separator: " ", length: 2, seed: Math.floor(random() * 2 ** 31) });
  const username = `demo-${index}-${Math.floor(random() * 1e9)}`;
  const email = `${name.toLowerCase().replace(/[^a-z]+/g, ".")}.${index}@demo.invalid`;
  return {
    userId: uuidAt(createdAt, random),
    email,
    name,
    username,
    searchText: personSearchText({ name, username, email }),
    passwordHash: NO_PASSWORD,
    isDemo: true,
    createdAt,
    verifiedAt: createdAt,
  };
}

type NewPosts = { random: Random; boards: DemoBoard[]; authorIds: string[]; onProgress: (done: number) => void };

async function createPosts(count: number, { random, boards, authorIds, onProgress }: NewPosts): Promise<void> {
  const lots = boards.flatMap(({ boardId, weight }) => Array.from({ length: weight }, () => boardId));
  for (let done = 0; done < count; ) {
    const size = Math.min(BATCH, count - done);
    const posts = Array.from({ length: size }, () => {
      const createdAt = instantBefore(random, HISTORY_MS);
      return { postId: uuidAt(createdAt, random), boardId: pick(random, lots), authorId: pick(random, authorIds), title: demoTitle(random), createdAt };
    });
    await atLeisure(async (tx) => {
      await tx.post.createMany({ data: posts });
      const byBoard = Map.groupBy(posts, ({ boardId }) => boardId);
      for (const [boardId, written] of byBoard) {
        const instants = written.map(({ createdAt }) => createdAt);
        await countPosts(tx, boardId, instants);
      }
    });
    done += size;
    onProgress(done);
  }
}

/**
 * What the planner goes by was another site, and each board's row was changed with every batch. A PostgreSQL server sees to that within minutes,
 * the embedded database at night.
 */
async function settle(): Promise<void> {
  const connection = await openConnection(await openDriver());
  try {
    await connection.execute('VACUUM (ANALYZE, SKIP_LOCKED) "Board"');
    await connection.execute('ANALYZE (SKIP_LOCKED) "BoardUrl", "Post", "User"');
  } finally {
    await connection.close();
  }
}

/** Counts new posts of a board in the transaction that writes them. */
async function countPosts(tx: Tx, boardId: string, written: Date[]): Promise<void> {
  const newest = new Date(Math.max(...written.map(Number)));
  await tx.board.update({ where: { boardId }, data: { postCount: { increment: written.length } } });
  await tx.board.updateMany({ where: { boardId, OR: [{ lastPostAt: null }, { lastPostAt: { lt: newest } }] }, data: { lastPostAt: newest } });
}

/** Within the last `spanMs`, more of it lately than long ago: a site that grows. */
function instantBefore(random: Random, spanMs: number): Date {
  return new Date(Date.now() - Math.floor(random() ** 2 * spanMs));
}

function uuidAt(instant: Date, random: Random): string {
  return createUuid({ msecs: instant.getTime(), random: Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256)) });
}
