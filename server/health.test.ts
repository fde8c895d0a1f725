import { afterEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { startDraining } from "#lib/draining";
import { useDatabase } from "#lib/testing/database";
import { readiness } from "./health.ts";

useDatabase();

afterEach(() => {
  globalThis.heardDraining = undefined;
});

test("a migrated database that answers is ready", async () => {
  expect(await readiness()).toBe("ok");
});

test("a process that is stopping is not ready", async () => {
  startDraining("stopping");

  expect(await readiness()).toBe("stopping");
});

test("where another process took over from this one, whoever comes to their port is served", async () => {
  startDraining("taken over");

  expect(await readiness()).toBe("ok");
});

test("a version that runs stays ready when a newer one has migrated its database", async () => {
  await db.$executeRaw`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at") VALUES ('next', 'x', '29991231000000_next', now())`;

  expect(await readiness()).toBe("ok");

  await db.$executeRaw`DELETE FROM "_prisma_migrations" WHERE "id" = 'next'`;
});

test("a database without the last migration is not ready", async () => {
  const [last] = await db.$queryRaw<
    { id: string; finishedAt: Date }[]
  >`SELECT "id", "finished_at" AS "finishedAt" FROM "_prisma_migrations" ORDER BY "migration_name" DESC LIMIT 1`;
  const setApplied = (isApplied: boolean) =>
    db.$executeRaw`UPDATE "_prisma_migrations" SET "rolled_back_at" = ${isApplied ? null : new Date()}, "finished_at" = ${isApplied ? last?.finishedAt : null} WHERE "id" = ${last?.id}`;
  await setApplied(false);

  expect(await readiness()).toBe("migrations");

  await setApplied(true);
  expect(await readiness()).toBe("ok");
});
