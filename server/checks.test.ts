import { expect, test } from "vitest";
import { databaseKind } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { runChecks } from "./checks.ts";
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
