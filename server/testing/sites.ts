import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Driver, db, openDriverOf } from "#lib/db";
import { createDatabase, dropDatabase } from "#lib/testing/postgres";
import { deleteBoard } from "../boards/deletion.ts";
import { type Board, createBoard, updateBoard } from "../boards.ts";
import { createDemo } from "../demo.ts";
import { aMember, anOwner, aSite } from "./people.ts";

/** Texts that something on the way might change: line ends of every kind, quotes, other scripts, what looks like null. */
const ODD_TEXTS = ['"quoted" \\ back\\slash', "line\nfeed\r\ttab\u2028\u2029", "عربي 日本 👩‍👩‍👧 e\u0301", "", "null", "\\N", "\\x00", "{}", "\u0001\u007f"];

/** A site with rows in every table of the backup, among them whatever is hard to carry. `posts` is how large it is. */
export async function aFullSite({ posts = 300 }: { posts?: number } = {}): Promise<void> {
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
  const picture = (type: string) => db.image.create({ data: { bytes, type, width: 1, height: 1, createdAt: new Date("1999-12-31T23:59:59.999Z") } });
  const [logo, avatar] = [await picture("image/webp"), await picture("image/png")];
  await aSite({ description: ODD_TEXTS.join(), logo: { connect: { imageId: logo.imageId } } });
  const owner = await anOwner({ avatar: { connect: { imageId: avatar.imageId } }, name: "Zoë" });
  const member = await aMember({ blockedAt: new Date("2031-03-01T12:00:00.001Z"), locale: "ar" });
  await db.secret.createMany({ data: ["b", "B", "a-b", "a_b", "ab", "ä"].map((name) => ({ name, value: `${name} `.repeat(3) })) });
  const token = { userId: member.userId, purpose: "RESET_PASSWORD", email: member.email, expiresAt: new Date("2099-01-01") } as const;
  await db.mailToken.create({ data: { ...token, tokenHash: bytes.slice(0, 32) } });
  for (const [index, status] of (["QUEUED", "SENT", "FAILED"] as const).entries()) {
    const props = { site: { url: "https://example.org" }, props: { odd: ODD_TEXTS, number: 1e21, nothing: null, deep: [[{}]] } };
    await db.mail.create({ data: { to: "ada@example.org", letter: "none", status, props, userId: index ? owner.userId : null, lastError: ODD_TEXTS[index] } });
  }
  const boards: Board[] = [];
  for (const [index, name] of ["Ideas", "Ärger", "Bugs", "a b"].entries()) boards.push(await createBoard(owner.viewer, { name, isPrivate: index === 1 }));
  await updateBoard(owner.viewer, boards[0]?.boardId ?? "", { url: "wishes" });
  await deleteBoard(owner.viewer, boards[2]?.boardId ?? "");
  await createDemo({ people: 25, posts, seed: 1 }, () => {});
  const title = (text: string, index: number) => ({ title: text, boardId: boards[0]?.boardId ?? "", createdAt: new Date(1_700_000_000_000 + index) });
  await db.post.createMany({ data: ODD_TEXTS.map(title) });
  const change = { postCount: ODD_TEXTS.length, lastPostAt: new Date(1_700_000_000_000 + ODD_TEXTS.length - 1) };
  await db.board.update({ where: { boardId: boards[0]?.boardId }, data: change });
}

/** An empty database beside the test's own, and the settings that lead to it. `remove` closes and deletes it. */
export type Place = { driver: Driver; settings: { DATA_DIR: string; DATABASE_URL: string }; remove(): Promise<void> };

/** Makes an empty database that nobody has migrated. PostgreSQL needs TEST_DATABASE_URL; there it sorts words as people do, and not as the embedded one. */
export async function anEmptyPlace(kind: Driver["kind"]): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), "heard-place-"));
  if (kind === "embedded") cpSync(await (newEngine ??= makeEngine()), directory, { recursive: true });
  const server = process.env.TEST_DATABASE_URL ?? "";
  const url = kind === "postgresql" ? await createDatabase(server, "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'") : "";
  const settings = { DATA_DIR: directory, DATABASE_URL: url };
  const driver = await openDriverOf(settings);
  const remove = async () => {
    await driver.close();
    rmSync(directory, { recursive: true });
    if (url) await dropDatabase(url);
  };
  return { driver, settings, remove };
}

/** Where a new engine's files are, which take seconds to make and are copied from there. Removed with the test's own data directory, in which it lies. */
let newEngine: Promise<string> | undefined;

async function makeEngine(): Promise<string> {
  const directory = join(process.env.DATA_DIR ?? "", "new-engine");
  await (await openDriverOf({ DATA_DIR: directory, DATABASE_URL: undefined })).close();
  return directory;
}
