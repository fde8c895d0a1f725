import { expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { createToken } from "#lib/tokens";
import { resetPassword } from "./password-reset.ts";
import { codeOf } from "./testing/failures.ts";
import { aMember, aSite, aVisit } from "./testing/people.ts";

vi.hoisted(() => Object.assign(process.env, { MAIL: "outbox" }));

// As several processes do, all hash at once: a slot, of which a process with two cores has one, would let the uses through one by one.
vi.mock("#lib/passwords", async (original) => ({
  ...(await original<typeof import("#lib/passwords")>()),
  withHashingSlot: <Result>(_place: string, work: () => Promise<Result>) => work(),
}));

useDatabase();

test("of one link's uses in several processes at once, one sets its password", async () => {
  await aSite();
  const { userId, email } = await aMember();
  const { token, tokenHash } = createToken();
  await db.mailToken.create({ data: { userId, email, purpose: "RESET_PASSWORD", tokenHash, expiresAt: new Date(Date.now() + 60_000) } });

  const codes = await Promise.all([1, 2, 3].map((use) => codeOf(resetPassword(aVisit(), { token, password: `password number ${use}` }))));

  expect(codes.toSorted()).toEqual(["INVALID_TOKEN", "INVALID_TOKEN", "none"]);
  expect(await db.mail.count({ where: { letter: "password-changed" } })).toBe(1);
});
