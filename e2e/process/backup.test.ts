import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startSmtpServer } from "#lib/testing/smtp";
import { apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite, type TestSite } from "../site.ts";
import { countRows, readRows, writeRows } from "../stored.ts";
import { anEmptyPlace, aStoppedSite, database, newFile, type Place, POSTS, run } from "./places.ts";

/** Somewhat more than are to come through. */
const WRITES_PER_SECOND = 55;

/** Each awaits its answer: a slow machine is asked for less. At full scale it has to bear as many as the bar says. */
const WRITERS = 8;
const LEAST_PER_SECOND = scale(5, 50);

const TIMEOUT = { timeout: scale(120_000, 1_800_000) };

const template = inject("databaseTemplate");
/** Rows that refer to a row which is not there, by constraint. */
async function brokenReferences(place: Place): Promise<number> {
  const references = await readRows<{ child: string; column: string; parent: string; key: string }>(
    place,
    `SELECT conrelid::regclass::text AS child, a.attname AS "column", confrelid::regclass::text AS parent, k.attname AS key
     FROM pg_constraint JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = conkey[1] JOIN pg_attribute k ON k.attrelid = confrelid AND k.attnum = confkey[1]
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  expect(references.length).toBeGreaterThan(5);
  const from = references.map(({ child, column, parent, key }, index) => [
    `reference${index}`,
    `${child} c WHERE c."${column}" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE p."${key}" = c."${column}")`,
  ]);
  return Object.values(await countRows<string>(place, Object.fromEntries(from))).reduce((sum, count) => sum + count, 0);
}

/** Boards made and hidden through the API, so many a second where the machine has them to give, until `stop`, which returns how many it was, and how many got which answer. */
function startWriters(site: TestSite, acknowledged: string[]) {
  const api = apiOf(site.url, { token: site.owner.authToken });
  const startedAt = Date.now();
  const statuses = new Map<number, number>();
  let [sent, isStopped] = [0, false];
  const write = async (index: number) => {
    const boardId = acknowledged.at(-1);
    const { status, body } =
      index % 2 && boardId ? await api.patch(`/boards/${boardId}`, { isPrivate: index % 4 === 1 }) : await api.post("/boards", { name: "W" });
    if (status === 201) acknowledged.push(String(body.board.boardId));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const keepWriting = async () => {
    while (!isStopped) {
      const index = sent++;
      await setTimeout(Math.max(0, startedAt + (index / WRITES_PER_SECOND) * 1000 - Date.now()));
      await write(index);
    }
  };
  const writing = Array.from({ length: WRITERS }, keepWriting);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(writing);
      const seconds = (Date.now() - startedAt) / 1000;
      await api.close();
      return { perSecond: Math.round(sent / seconds), statuses: Object.fromEntries(statuses) as Record<string, number> };
    },
  };
}

test("D6: a backup taken while 50 writes a second go on is one moment of the site, and holds all that was there when it began", TIMEOUT, async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  expect(await run("demo", site, "--people=50", `--posts=${POSTS}`)).toMatchObject({ code: 0 });
  const acknowledged: string[] = [];
  const writers = startWriters(site, acknowledged);
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), { timeout: 10_000 });
  const before = [...acknowledged];
  const path = newFile();

  const backup = await run("backup", site, path);

  const { perSecond, statuses } = await writers.stop();
  expect(backup).toMatchObject({ code: 0, output: expect.stringContaining("npm run restore -- ") });
  const place = await anEmptyPlace();
  const restore = await run("restore", place, path);
  const check = await run("recount", place, "--check");
  const broken = await brokenReferences(place);
  const stored = await readRows<{ boardId: string }>(place, `SELECT "boardId" FROM "Board"`);
  const ids = new Set(stored.map(({ boardId }) => boardId));
  const lost = before.filter((boardId) => !ids.has(boardId));
  const { posts } = await countRows(place, { posts: '"Post"' });
  const ok = [restore.code, check.code, broken, lost.length, posts - POSTS].every((figure) => figure === 0) && perSecond >= LEAST_PER_SECOND;
  reportBar({
    bar: "D6",
    measure: `${POSTS} posts, ${perSecond} writes/s: broken references; counters that drifted; rows missing of ${before.length + POSTS}`,
    figure: `${broken}; ${check.output.startsWith("No drift") ? 0 : check.output}; ${lost.length + POSTS - posts}`,
    ok,
  });
  reportBar({ bar: "D7", measure: `restore of ${POSTS} posts, s (backup ${backup.ms} ms)`, figure: restore.ms / 1000, ok: restore.ms < 15 * 60_000 });

  expect([broken, lost, posts]).toEqual([0, [], POSTS]);
  expect(restore).toMatchObject({ code: 0, output: expect.stringContaining("The site is back") });
  expect(check).toMatchObject({ code: 0, output: expect.stringContaining("No drift") });
  // Written meanwhile, and so the proof that something was.
  expect(acknowledged.length).toBeGreaterThan(before.length);
  // A backup that held the writes up for longer than they wait for a lock would turn some away.
  expect(Object.keys(statuses)).toEqual(["200", "201"]);
  expect(perSecond).toBeGreaterThanOrEqual(LEAST_PER_SECOND);
  expect(readdirSync(site.dataDir).filter((name) => name.startsWith("snapshot-"))).toEqual([]);
});

test("a restored site goes on: people stay signed in, and letters that waited are sent, those that were sent are not", TIMEOUT, async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  await site.stop();
  const columns = `"to", "letter", "props", "userId"`;
  const queued = `INSERT INTO "Mail" ("mailId", ${columns}) SELECT '00000000-0000-7000-8000-000000000001', ${columns} FROM "Mail";`;
  await writeRows(site, `UPDATE "Mail" SET "status" = 'SENT', "attempts" = 7; ${queued}`);
  const path = newFile();
  expect(await run("backup", site, path)).toMatchObject({ code: 0 });
  const place = await anEmptyPlace();
  expect(await run("restore", place, path)).toMatchObject({ code: 0 });

  const smtp = await startSmtpServer();
  onTestFinished(smtp.close);
  const restored = await startServer({ from: place, env: { MAIL: "smtp", SMTP_URL: smtp.url } });
  onTestFinished(restored.remove);

  const api = apiOf(restored.url, { token: site.owner.authToken });
  expect((await api.get("/users/me")).status).toBe(200);
  await api.close();
  await vi.waitFor(() => expect(smtp.received).toHaveLength(1), { timeout: 20_000 });
  await restored.stop();
  expect(smtp.received).toHaveLength(1);
  const mails = await readRows<{ status: string; attempts: number }>(place, `SELECT "status", "attempts" FROM "Mail" ORDER BY "mailId"`);
  expect(mails).toEqual([
    { status: "SENT", attempts: 1 },
    { status: "SENT", attempts: 7 },
  ]);
});

/** SQL for a database that gives each board that is put into it another name. */
const CHANGES_WHAT_IT_IS_GIVEN = `
  CREATE FUNCTION rename_board() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."name" := 'Another'; RETURN NEW; END $$;
  CREATE FUNCTION watch_boards() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public."Board"') THEN
      CREATE TRIGGER rename_board BEFORE INSERT ON "Board" FOR EACH ROW EXECUTE FUNCTION rename_board();
    END IF;
  END $$;
  CREATE EVENT TRIGGER watch_boards ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION watch_boards();`;

test.runIf(database === "postgresql")(
  "O15: an embedded site is moved to PostgreSQL by one command, and is the same there; where it is not, that is said",
  TIMEOUT,
  async () => {
    const site = await aStoppedSite("embedded");
    const [before, after] = [newFile(), newFile()];
    expect(await run("backup", site, before)).toMatchObject({ code: 0 });
    const target = await anEmptyPlace("postgresql");
    const secret = target.databaseUrl.replace("//postgres@", "//postgres:hidden-word@");

    const moved = await run("move-to-postgres", site, secret);

    expect(await run("backup", target, after)).toMatchObject({ code: 0 });
    const isEqual = readFileSync(after).equals(readFileSync(before));
    reportBar({
      bar: "O15",
      measure: `npm run move-to-postgres, ${POSTS} posts: the same backup, bytes`,
      figure: isEqual ? "equal" : "different",
      ok: isEqual,
    });
    expect(moved).toMatchObject({ code: 0, output: expect.stringContaining(`  DATABASE_URL=${secret.replace("hidden-word", "***")}\n`) });
    expect(moved.output).not.toContain("hidden-word");
    expect(isEqual).toBe(true);
    const spoiled = await anEmptyPlace("postgresql");
    await writeRows(spoiled, CHANGES_WHAT_IT_IS_GIVEN);
    expect(await run("move-to-postgres", site, spoiled.databaseUrl)).toMatchObject({
      code: 1,
      output: expect.stringContaining('The table "Board" has other rows in PostgreSQL than here'),
    });
    const again = await run("move-to-postgres", site, secret);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining("There is a site already") });
  },
);
