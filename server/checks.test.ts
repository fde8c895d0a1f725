import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { DAY_MS } from "#lib/days";
import { databaseKind, db } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { MESSAGES } from "#messages/all.ts";
import { backUp } from "./backup.ts";
import { runChecks, runSiteChecks, STATE_OF } from "./checks.ts";
import { aSite, aVisit } from "./testing/people.ts";

useDatabase();

async function found(visit = aVisit()) {
  return Object.fromEntries((await runChecks(visit)).map(({ check, ...result }) => [check, result]));
}

test("the database is named with its version, and the folder with its free space where there is one", async () => {
  const { database, storage, clock } = await found();

  expect(database).toEqual({ state: "ok", finding: databaseKind(), facts: { version: expect.stringMatching(/^\d+/) } });
  expect(storage).toMatchObject(
    databaseKind() === "embedded" ? { finding: "writable", facts: { freeMegabytes: expect.any(Number) } } : { finding: "elsewhere" },
  );
  expect(clock).toMatchObject({ state: "ok", finding: "right" });
});

// On PostgreSQL another connection may answer than the one that is told.
test.runIf(databaseKind() === "embedded")("a database that takes nothing new has to be mended", async () => {
  await db.$executeRaw`SET default_transaction_read_only = on`;
  const { database } = await found();
  await db.$executeRaw`SET default_transaction_read_only = off`;

  expect(database).toEqual({ state: "problem", finding: "readOnly", facts: {} });
});

test.for([
  ["https://feedback.example.com", "ok", "secure"],
  ["http://localhost:3000", "warning", "differs"],
] as const)("seen at %s, a site that lives at https://feedback.example.com is %s: %s", async ([ownOrigin, state, finding]) => {
  await aSite();

  expect(await found(aVisit({ ownOrigin }))).toMatchObject({ address: { state, finding } });
});

test.for([
  ["http://localhost:3000", "warning", "local"],
  ["http://feedback.example.com", "warning", "insecure"],
  ["https://feedback.example.com", "ok", "secure"],
] as const)("before set-up %s is %s: %s", async ([ownOrigin, state, finding]) => {
  expect(await found(aVisit({ ownOrigin }))).toMatchObject({ address: { state, finding } });
});

test.for(Object.entries(MESSAGES))("in %s there is something to do about every finding that is amber or red, and about no other", ([, { checks }]) => {
  const toMend = Object.entries(STATE_OF).map(([check, states]) => [
    check,
    Object.entries(states)
      .filter(([, state]) => state === "warning" || state === "problem")
      .map(([finding]) => finding)
      .sort(),
  ]);
  const fixes = Object.entries(checks.fixes).map(([check, texts]) => [check, Object.keys(texts).sort()]);

  expect(Object.fromEntries(fixes)).toEqual(Object.fromEntries(toMend));
});

describe("a backup", () => {
  const backups = join(env().DATA_DIR, "backups");
  const found = async () => (await runSiteChecks(aVisit())).find(({ check }) => check === "backup");
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 1000);
  afterEach(() => rmSync(backups, { recursive: true, force: true }));

  function lastMade(days: number): void {
    mkdirSync(backups, { recursive: true });
    writeFileSync(join(backups, "last.json"), JSON.stringify({ at: daysAgo(days), path: "heard.jsonl.gz" }));
  }

  test("is asked for once the site is a day old", async () => {
    await aSite({ setUpAt: daysAgo(0) });
    expect(await found()).toMatchObject({ state: "pending", finding: "notYet" });

    await db.siteSettings.updateMany({ data: { setUpAt: daysAgo(1) } });
    expect(await found()).toMatchObject({ state: "warning", finding: "never" });
  });

  test("that was just made is named, wherever it was written", async () => {
    await aSite({ setUpAt: daysAgo(30) });
    const { path } = await backUp(join(env().DATA_DIR, "elsewhere", `${crypto.randomUUID()}.jsonl.gz`), () => {});

    const check = await found();

    expect(check).toMatchObject({ state: "ok", finding: "recent", facts: { file: path } });
    expect(Math.abs(Date.now() - Number(check?.facts.at))).toBeLessThan(60_000);
  });

  test("is old after a week", async () => {
    await aSite({ setUpAt: daysAgo(30) });
    lastMade(6);
    expect(await found()).toMatchObject({ state: "ok", finding: "recent" });

    lastMade(7);
    expect(await found()).toMatchObject({ state: "warning", finding: "old", facts: { file: "heard.jsonl.gz" } });
  });

  test("from before the site was set up is of another site, and a record that cannot be read is none", async () => {
    await aSite({ setUpAt: daysAgo(2) });
    lastMade(3);
    expect(await found()).toMatchObject({ finding: "never" });

    writeFileSync(join(backups, "last.json"), "{");
    expect(await found()).toMatchObject({ finding: "never" });
  });

  test("is no matter of a site that is not set up yet", async () => {
    expect((await runChecks(aVisit())).map(({ check }) => check)).not.toContain("backup");
  });

  test("whose record cannot be kept is made all the same", async () => {
    await aSite();
    writeFileSync(backups, "no folder");

    const { bytes } = await backUp(join(env().DATA_DIR, "elsewhere", `${crypto.randomUUID()}.jsonl.gz`), () => {});

    expect(bytes).toBeGreaterThan(0);
  });
});
