import { expect, test } from "vitest";
import { Prisma } from "#prisma/generated/client";
import { setHearing } from "../changes.ts";
import { databaseKind, db, isUnavailable, openDriver } from "../db.ts";
import { useDatabase } from "../testing/database.ts";
import { queryPrepared } from "./prepared.ts";

useDatabase();

test("gives rows as the driver reads them, for values that Prisma would take", async () => {
  const at = new Date("2026-01-02T03:04:05.678Z");
  const bytes = new Uint8Array([0, 1, 255]);

  const rows = await queryPrepared(Prisma.sql`
    SELECT ${at}::timestamptz AS "at", ${7}::int AS "count", ${true}::boolean AS "is", ${"ü\\'"}::text AS "text", ${bytes}::bytea = decode('0001ff', 'hex') AS "same"
    WHERE ${"a"} = ${Prisma.raw("'a'")} ${Prisma.empty}`);

  expect(rows).toEqual([{ at, count: 7, is: true, text: "ü\\'", same: true }]);
});

test("a statement that is wrong fails as itself", async () => {
  const error = await queryPrepared(Prisma.sql`SELECT "nothing" FROM "Nowhere"`).catch((error: unknown) => error);

  expect(error).toMatchObject({ code: "42P01" });
  expect(isUnavailable(error)).toBe(false);
});

test.runIf(databaseKind() === "postgresql")("a statement that a migration outdates is taken in anew, and nobody notices", async () => {
  setHearing(true);
  await db.$executeRaw`CREATE TABLE "Widened" ("word" varchar(60))`;
  const read = () => queryPrepared(Prisma.sql`SELECT "word" FROM "Widened"`);
  const readAll = () => Promise.all(Array.from({ length: 20 }, read));
  for (let count = 0; count < 3; count++) await readAll();
  await db.$executeRaw`ALTER TABLE "Widened" ALTER "word" TYPE varchar(80)`;

  for (let count = 0; count < 3; count++) await expect(readAll()).resolves.toHaveLength(20);
});

test.runIf(databaseKind() === "postgresql")("a statement that the database cancels counts as unavailable", async () => {
  const error = await queryPrepared(Prisma.sql`SELECT pg_sleep(10)::text`).catch((error: unknown) => error);

  expect(isUnavailable(error)).toBe(true);
});

test.runIf(databaseKind() === "postgresql")("connections keep the statements, unless a pooler may stand between", async () => {
  const kept = async () => {
    const driver = await openDriver();
    if (driver.kind !== "postgresql") throw new Error("This is about PostgreSQL.");
    await queryPrepared(Prisma.sql`SELECT 1 AS "kept"`);
    // The connection that was used last is used first.
    return (await driver.pool.query(`SELECT "statement" FROM pg_prepared_statements WHERE "statement" LIKE '%AS "kept"'`)).rowCount;
  };

  setHearing(false);
  expect(await kept()).toBe(0);
  setHearing(true);
  expect(await kept()).toBe(1);
});
