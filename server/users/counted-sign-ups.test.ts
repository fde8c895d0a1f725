import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { attemptsOf, placeOf } from "#lib/rate-limits";
import { useDatabase } from "#lib/testing/database";
import { aSite, aVisit } from "../testing/people.ts";
import { signUp } from "../users.ts";

vi.hoisted(() => Object.assign(process.env, { RATE_LIMITS: "on", MAIL: "outbox" }));

useDatabase();

beforeEach(() => aSite());

const ADA = { email: "ada@example.org", password: "correct horse" };
const counted = () => attemptsOf("signup", placeOf(aVisit().ip));

test("a sign-up counts where the address is free or taken, and not where the site failed", async () => {
  await db.$executeRaw`ALTER TABLE "Mail" ADD CONSTRAINT "no_letters" CHECK (false) NOT VALID`;
  await expect(signUp(aVisit(), ADA)).rejects.toThrow();
  await db.$executeRaw`ALTER TABLE "Mail" DROP CONSTRAINT "no_letters"`;
  expect(await counted()).toBe(0);

  await signUp(aVisit(), ADA);
  expect(await counted()).toBe(1);

  await expect(signUp(aVisit(), ADA)).rejects.toMatchObject({ code: "USER_EXISTS" });
  expect(await counted()).toBe(2);
});
