import { expect, test } from "vitest";
import { db } from "#lib/db";
import { hashPassword, withHashingSlot } from "#lib/passwords";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { isFullScale, scale } from "#lib/testing/scale";
import { compareTimes } from "#lib/testing/timing";
import { logIn } from "../login.ts";
import { aMember, aVisit } from "../testing/people.ts";

useDatabase();

const ROUNDS = scale(3, 500);

/** How long a refused sign-in took, in milliseconds. */
async function timeOf(email: string): Promise<number> {
  const start = performance.now();
  await expect(logIn(aVisit(), { email, password: "wrong password" })).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
  return performance.now() - start;
}

// Times say something only of many sign-ins on a machine that does nothing else, so `npm test` measures and judges nothing.
test("an unknown address is refused in the same time as a wrong password", { timeout: 30_000 + ROUNDS * 2500 }, async () => {
  const { userId, email } = await aMember();
  const passwordHash = await withHashingSlot("here", () => hashPassword("right password", userId));
  await db.user.update({ where: { userId }, data: { passwordHash } });
  await timeOf(email);
  const known: number[] = [];
  const unknown: number[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    // Each first in turn, so that neither gains from its place.
    const pair = [() => timeOf(email).then((ms) => known.push(ms)), () => timeOf(`nobody-${round}@example.org`).then((ms) => unknown.push(ms))];
    for (const run of round % 2 ? pair : pair.reverse()) await run();
  }

  const { isAlike, figure } = compareTimes(known, unknown);
  reportBar({ bar: "A4", measure: `${ROUNDS} refused sign-ins of each kind`, figure, ok: isAlike });
  if (isFullScale) expect(isAlike, figure).toBe(true);
});
