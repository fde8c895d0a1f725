import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { callControl } from "#lib/control";
import { isToldHere } from "#lib/testing/scale";
import { writeBackup } from "#server/backup/file";
import { apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { countRows, writeRows } from "../stored.ts";
import { anEmptyPlace, aStoppedSite, database, directory, newFile, run } from "./places.ts";
import { runToEnd } from "./run.ts";

const TIMEOUT = { timeout: 120_000 };
/** What a site with no rows would be read as. */
async function* none(): AsyncGenerator<never> {}
const SETUP_TOKEN = "only for strangers";

test.runIf(isToldHere)("commands that cannot do their work say why in a sentence, and end with 1", TIMEOUT, async () => {
  const nowhere = { dataDir: join(directory, "nowhere"), databaseUrl: "" };
  const newer = newFile();
  await writeBackup(newer, { version: "9.0.0", migration: "20990101000000_next" }, none());

  const refusals = [
    await run("backup", nowhere),
    await run("restore", nowhere),
    await run("restore", nowhere, "/nowhere/heard.jsonl.gz"),
    await run("restore", nowhere, newer),
    await run("move-to-postgres", nowhere),
    await run("move-to-postgres", nowhere, "hello"),
    await run("move-to-postgres", nowhere, "postgresql://localhost/heard"),
    await run("recount", nowhere, "--chekc"),
    await run("recount", nowhere, "--check"),
    await run("owner-reset-password", nowhere),
    await run("demo", nowhere),
    await run("db-new-migration", nowhere, "Add votes!"),
    await run("setup", nowhere),
    await run("setup", nowhere, "--owner=ada"),
    await run("setup", nowhere, "--owner=ada@example.com", "--title="),
  ];

  expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 1));
  expect(refusals.map(({ output }) => output)).toEqual([
    expect.stringContaining("There is no site in "),
    expect.stringContaining("Say which backup: npm run restore -- FILE"),
    expect.stringContaining("There is no file /nowhere/heard.jsonl.gz."),
    expect.stringContaining("The backup was made by a newer Heard (9.0.0, with the migration 20990101000000_next)"),
    expect.stringContaining("Say where to: npm run move-to-postgres -- postgresql://"),
    expect.stringContaining("DATABASE_URL must be a PostgreSQL address"),
    expect.stringContaining("There is no embedded site in "),
    expect.stringContaining("--chekc"),
    ...Array.from({ length: 3 }, () => expect.stringContaining("There is no site in ")),
    expect.stringContaining("Give the migration a name of lower-case letters, digits and underscores, such as: npm run db:new-migration add_votes"),
    expect.stringContaining("owner must say whose site it is: npm run setup -- --owner you@example.com"),
    expect.stringContaining("Give an email address such as name@example.com."),
    expect.stringContaining("title must not be empty: leave the option out instead"),
  ]);
  for (const { output } of refusals) expect(output).not.toMatch(/\n\s+at /);
  expect(readdirSync(directory)).not.toContain("nowhere");
});

test("counters that drifted are reported with exit code 1, and mended", TIMEOUT, async () => {
  const site = await aStoppedSite();
  await writeRows(site, `UPDATE "Board" SET "postCount" = "postCount" + 7; UPDATE "SiteSettings" SET "privateBoardCount" = 5;`);

  const [found, mended, after] = [await run("recount", site, "--check"), await run("recount", site), await run("recount", site, "--check")];

  expect(found).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^Board\.postCount: \d+ wrong \(\/boards\/.*\nSiteSettings\.privateBoardCount: 1 wrong \(5 instead of 0\)\nTo mend them: npm run recount\n$/,
    ),
  });
  expect(mended).toMatchObject({ code: 0, output: expect.stringMatching(/Mended\.\n$/) });
  expect(after).toMatchObject({ code: 0, output: expect.stringContaining("No drift") });
});

test.runIf(database === "embedded")("a site that is running is not restored into, nor moved away", TIMEOUT, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  const path = newFile();
  expect(await run("backup", site, path)).toMatchObject({ code: 0 });

  expect(await run("restore", site, path)).toMatchObject({ code: 1, output: expect.stringContaining("is in use by another Heard") });
  expect(await run("move-to-postgres", site, "postgresql://localhost:1/heard")).toMatchObject({
    code: 1,
    output: expect.stringContaining("Heard is running on this site, and what is written from now on would stay behind: stop it first"),
  });
  expect(await run("recount", site, "--check")).toMatchObject({ code: 0 });
});

test("a new database is migrated once, step by step, and from then on is up to date", TIMEOUT, async () => {
  const place = await anEmptyPlace();
  const names = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));

  const [first, second] = [await run("db-migrate", place), await run("db-migrate", place)];

  expect(first).toMatchObject({ code: 0, output: expect.stringContaining(`Done: ${names.length} applied.`) });
  for (const name of names) expect(first.output).toContain(name);
  expect(second).toMatchObject({ code: 0, output: "The database is up to date.\n" });
});

test.runIf(database === "embedded")("a database that a running Heard has open is not migrated beside it", TIMEOUT, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);

  expect(await run("db-migrate", site)).toMatchObject({ code: 0, output: expect.stringContaining("has applied all of its migrations") });
  await expect(callControl(site.dataDir, "migrate", { newest: "29990101000000_add_votes" }, () => {})).rejects.toThrow(
    "is older than the migration 29990101000000_add_votes: restart it",
  );
});

test.runIf(isToldHere)("where the migrations say all that the schema says, no new one is written", TIMEOUT, async () => {
  const before = readdirSync("prisma/migrations");

  expect(await run("db-new-migration", await anEmptyPlace(), "add_votes")).toMatchObject({ code: 0, output: expect.stringContaining("nothing to write") });
  expect(readdirSync("prisma/migrations")).toEqual(before);
});

test("the demo is filled in once, and taken out again without a trace", TIMEOUT, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  await site.stop();
  const rows = { boards: `"Board"`, people: `"User"`, posts: `"Post"` };
  const before = await countRows(site, rows);

  expect(await run("demo", site, "--people=5", "--posts=20")).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^(\d+) of \d+\n[\s\S]*^(\d+) of \2\n[\s\S]*Made \d+ boards, 5 people and 20 posts/m),
  });
  expect(await run("demo", site)).toMatchObject({ code: 1, output: expect.stringContaining("npm run demo -- --remove") });
  expect(await run("demo", site, "--people=none")).toMatchObject({ code: 1, output: expect.stringContaining("must be a number") });
  expect(await countRows(site, rows)).toMatchObject({ people: before.people + 5, posts: before.posts + 20 });
  expect(await run("demo", site, "--remove")).toMatchObject({ code: 0 });
  expect(await countRows(site, rows)).toEqual(before);
  expect(await run("recount", site, "--check")).toMatchObject({ code: 0 });
});

test(
  "an owner who forgot the password gets a new one from the command line, beside the running site, and everybody signed in as them is out",
  TIMEOUT,
  async () => {
    const site = await startSite({ template: inject("databaseTemplate") });
    onTestFinished(site.remove);
    const api = apiOf(site.url);

    const wrong = await run("owner-reset-password", site, "nobody@example.com");
    const done = await run("owner-reset-password", site);
    const [, password = ""] = /^ {2}([0-9a-f]{30})$/m.exec(done.output) ?? [];
    const logins = [await api.post("/auth/login", { ...site.owner }), await api.post("/auth/login", { email: site.owner.email, password })];
    const before = await api.get("/users/me", { token: site.owner.authToken });
    await api.close();

    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("No owner has the address nobody@example.com.") });
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining(`${site.owner.email} can sign in with this password now`) });
    expect([...logins, before].map(({ status }) => status)).toEqual([401, 200, 401]);
    expect(site.logs()).not.toContain(password);
  },
);

test("a site that was never started is set up from the command line, and answers its owner when it is", TIMEOUT, async () => {
  const place = await anEmptyPlace();
  const settings = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl };

  const mute = await runToEnd("scripts/setup.ts", { ...settings, MAIL: "none" }, ["--owner=ada@example.com"]);
  const made = await runToEnd("scripts/setup.ts", { ...settings, MAIL: "outbox" }, ["--owner=ada@example.com"]);
  const [, password = ""] = /^ {2}([0-9a-f]{30})$/m.exec(made.output) ?? [];
  const server = await startServer({ from: place });
  onTestFinished(async () => void (await server.stop()));
  const api = apiOf(server.url);
  const login = await api.post("/auth/login", { email: "ada@example.com", password });
  await api.close();

  expect(mute).toMatchObject({ code: 1, output: expect.stringContaining("MAIL=outbox") });
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining("is set up. ada@example.com owns it") });
  expect(login.status).toBe(200);
});

test("a site is set up from the command line, once, past the token that strangers need, and its owner signs in", TIMEOUT, async () => {
  const server = await startServer({ template: inject("databaseTemplate"), env: { SETUP_TOKEN } });
  onTestFinished(server.remove);
  const args = ["--owner=ada@example.com", "--title=Acme feedback", "--board=Ideas", "--url=https://Feedback.example.com/"];

  const settings = { DATA_DIR: server.dataDir, DATABASE_URL: server.databaseUrl, MAIL: "outbox", SETUP_TOKEN };

  const [first, second] = [await runToEnd("scripts/setup.ts", settings, args), await runToEnd("scripts/setup.ts", settings, args)];
  const [, password = ""] = /^ {2}([0-9a-f]{30})$/m.exec(first.output) ?? [];
  const api = apiOf(server.url);
  const boards = await api.get("/boards");
  const login = await api.post("/auth/login", { email: "ada@example.com", password });
  await api.close();

  expect(first).toMatchObject({ code: 0, output: expect.stringContaining("https://feedback.example.com is set up. ada@example.com owns it") });
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("already") });
  expect([login.status, boards.body.boards.map(({ name }: { name: string }) => name)]).toEqual([200, ["Ideas"]]);
});
