import { expect, test } from "vitest";
import { databaseKind, db } from "#lib/db";
import { hashPassword, withHashingSlot } from "#lib/passwords";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { logIn } from "../login.ts";
import { aMember, aVisit } from "../testing/people.ts";

useDatabase();

const ROUNDS = scale(3, 500);

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

/** Two-sided p of the Mann-Whitney U test, by its normal approximation: how likely two such samples come from one distribution. */
function mannWhitneyP(first: number[], second: number[]): number {
  const wins = first.reduce((sum, a) => sum + second.reduce((count, b) => count + (a > b ? 1 : a === b ? 0.5 : 0), 0), 0);
  const pairs = first.length * second.length;
  const z = Math.abs(wins - pairs / 2) / Math.sqrt((pairs * (first.length + second.length + 1)) / 12);
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.min(1, 2 * tail);
}

/** How long a refused sign-in took, in milliseconds. */
async function timeOf(email: string): Promise<number> {
  const start = performance.now();
  await expect(logIn(aVisit(), { email, password: "wrong password" })).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
  return performance.now() - start;
}

// Times say something only of many sign-ins on a machine that does nothing else, so `npm test` measures and judges nothing.
test("an unknown address is refused in the same time as a wrong password", { timeout: 30_000 + ROUNDS * 2500 }, async () => {
  const { userId, email } = await aMember();
  const passwordHash = await withHashingSlot(() => hashPassword("right password", userId));
  await db.user.update({ where: { userId }, data: { passwordHash } });
  await timeOf(email);
  const known: number[] = [];
  const unknown: number[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    // Each first in turn, so that neither gains from its place.
    const pair = [() => timeOf(email).then((ms) => known.push(ms)), () => timeOf(`nobody-${round}@example.org`).then((ms) => unknown.push(ms))];
    for (const run of round % 2 ? pair : pair.reverse()) await run();
  }

  const differenceMs = Math.abs(median(known) - median(unknown));
  const p = mannWhitneyP(known, unknown);
  const isAlike = differenceMs < 5 && p > 0.05;
  const figure = `medians ${median(known).toFixed(1)} and ${median(unknown).toFixed(1)} ms, p = ${p.toFixed(2)}`;
  reportBar({ bar: "A4", measure: `${ROUNDS} refused sign-ins of each kind`, figure, database: databaseKind(), ok: isAlike });
  if (process.env.PROVE === "1") expect(isAlike, figure).toBe(true);
});
