import { afterEach, expect, onTestFinished, test } from "vitest";
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
  onTestFinished(async () => void (await db.$executeRaw`DELETE FROM "_prisma_migrations" WHERE "id" = 'next'`));
  await db.$executeRaw`INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at") VALUES ('next', 'x', '29991231000000_next', now())`;

  expect(await readiness()).toBe("ok");
});

test("a database without the last migration, or with one that did not finish, is not ready", async () => {
  const [last] = await db.$queryRaw<
    { id: string; finishedAt: Date }[]
  >`SELECT "id", "finished_at" AS "finishedAt" FROM "_prisma_migrations" ORDER BY "migration_name" DESC LIMIT 1`;
  const set = (finishedAt: Date | null, rolledBackAt: Date | null) =>
    db.$executeRaw`UPDATE "_prisma_migrations" SET "rolled_back_at" = ${rolledBackAt}, "finished_at" = ${finishedAt} WHERE "id" = ${last?.id}`;
  onTestFinished(async () => void (await set(last?.finishedAt ?? null, null)));

  await set(null, new Date());
  expect(await readiness()).toBe("migrations");
  await set(null, null);
  expect(await readiness()).toBe("migrations");
  await set(last?.finishedAt ?? null, null);
  expect(await readiness()).toBe("ok");
});
