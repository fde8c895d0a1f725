import { expect, test } from "vitest";
import { databaseKind, db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { MESSAGES } from "#messages/all.ts";
import { runChecks, STATE_OF } from "./checks.ts";
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

test.for(Object.entries(MESSAGES))("in %s there is something to do about every finding that is not in order, and about no other", ([, { checks }]) => {
  const toMend = Object.entries(STATE_OF).map(([check, states]) => [
    check,
    Object.entries(states)
      .filter(([, state]) => state !== "ok")
      .map(([finding]) => finding)
      .sort(),
  ]);
  const fixes = Object.entries(checks.fixes).map(([check, texts]) => [check, Object.keys(texts).sort()]);

  expect(Object.fromEntries(fixes)).toEqual(Object.fromEntries(toMend));
});
