import { isDeepStrictEqual } from "node:util";
import { expect, test, vi } from "vitest";
import { databaseKind, db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { resetDatabase, useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { setUp } from "./setup.ts";
import { aVisit } from "./testing/people.ts";
import { createAccount, signUp } from "./users.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const TIMEOUT = { timeout: scale(30_000, 600_000) };

/** What became of many at once: how many succeeded, and which codes the others met. */
async function crowd(actions: Promise<unknown>[]): Promise<{ successes: number; codes: string[] }> {
  const results = await Promise.allSettled(actions);
  const failures = results.filter((result) => result.status === "rejected");
  const codes = failures.map(({ reason }) => knownError(reason)?.code ?? String(reason));
  return { successes: results.length - failures.length, codes: [...new Set(codes)].sort() };
}

/** So many set-ups at once, each with an address of its own. */
function setUpAtOnce(count: number) {
  return crowd(Array.from({ length: count }, (_, index) => setUp(aVisit(), { email: `person-${index}@example.org`, password: "correct horse" })));
}

/** So many sign-ups at once with one address, written in different ways. */
function signUpAtOnce(count: number) {
  const spellings = ["ada@example.org", "ADA@Example.org", " ada@example.org", "Ada@EXAMPLE.ORG "];
  return crowd(
    Array.from({ length: count }, (_, index) => signUp(aVisit(), { email: spellings[index % spellings.length], password: `correct horse ${index}` })),
  );
}

test("of any number of set-ups at once one makes the owner, and nothing is left of the others", TIMEOUT, async () => {
  const [rounds, count] = [scale(1, 20), scale(40, 200)];
  const wrong: object[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await resetDatabase();
    const outcome = await setUpAtOnce(count);
    const rows = [
      await db.user.count(),
      await db.user.count({ where: { role: "OWNER" } }),
      await db.siteSettings.count(),
      await db.session.count(),
      await db.mail.count(),
      await db.mailToken.count(),
    ];
    if (!isDeepStrictEqual([outcome, rows], [{ successes: 1, codes: ["SETUP_COMPLETED"] }, [1, 1, 1, 1, 1, 1]])) wrong.push({ outcome, rows });
  }
  reportBar({
    bar: "C2",
    measure: `of ${rounds} × ${count} set-ups at once (rule), those that left one owner and one settings row`,
    figure: `${rounds - wrong.length}/${rounds}`,
    ok: wrong.length === 0,
  });
  expect(wrong).toEqual([]);
});

test("of any number of sign-ups with one address at once one makes the account", TIMEOUT, async () => {
  const count = scale(60, 1000);

  const outcome = await signUpAtOnce(count);

  const accounts = await db.user.count();
  const ok = outcome.successes === 1 && accounts === 1;
  reportBar({ bar: "C1", measure: `accounts of ${count} sign-ups with one address at once (rule)`, figure: accounts, ok });
  expect(outcome).toEqual({ successes: 1, codes: ["USER_EXISTS"] });
  expect([accounts, await db.session.count(), await db.mail.count(), await db.mailToken.count()]).toEqual([1, 1, 1, 1]);
});

test("a set-up and a sign-up with one address at once make one account", TIMEOUT, async () => {
  const input = { email: "ada@example.org", password: "correct horse" };

  const { successes } = await crowd([setUp(aVisit(), input), signUp(aVisit(), input)]);

  expect(successes).toBe(1);
  const owners = await db.user.count({ where: { role: "OWNER" } });
  expect([await db.user.count(), await db.siteSettings.count()]).toEqual([1, owners]);
});

test("several people who sign up at once all get their account", TIMEOUT, async () => {
  const count = scale(4, 10);

  expect(
    await crowd(Array.from({ length: count }, (_, index) => signUp(aVisit(), { email: `person-${index}@example.org`, password: "correct horse" }))),
  ).toEqual({ successes: count, codes: [] });

  const users = await db.user.findMany({ select: { username: true } });
  expect(new Set(users.map(({ username }) => username)).size).toBe(count);
});

// The tests above are worth something only if they can fail. Here they do: by taking away what decides, and by the check that one would naively write.
const HIDDEN = "the embedded database's one connection hides such races";

test("without the one row of settings the same crowd makes several owners", TIMEOUT, async ({ skip }) => {
  skip(databaseKind() === "embedded", HIDDEN);
  await db.$executeRaw`ALTER TABLE "SiteSettings" DROP CONSTRAINT "SiteSettings_pkey"`;

  await setUpAtOnce(5);
  const owners = await db.user.count({ where: { role: "OWNER" } });

  await db.siteSettings.deleteMany();
  await db.$executeRaw`ALTER TABLE "SiteSettings" ADD CONSTRAINT "SiteSettings_pkey" PRIMARY KEY ("settingsId")`;
  expect(owners).toBeGreaterThan(1);
  reportBar({ bar: "C15", measure: "5 set-ups at once without the unique row", figure: `${owners} owners`, ok: owners > 1 });
});

/** So many sign-ups of one address as several processes would make them, which do not hear of each other. */
function accountsAtOnce(count: number) {
  const account = { email: "ada@example.org", password: "correct horse", role: "MEMBER" } as const;
  const place = { visit: aVisit(), site: "http://localhost:3000", linksTo: "http://localhost:3000" };
  return crowd(Array.from({ length: count }, () => createAccount(account, place)));
}

test("of one address in several processes at once, one gets the account", TIMEOUT, async () => {
  expect(await accountsAtOnce(5)).toEqual({ successes: 1, codes: ["USER_EXISTS"] });
});

test("without the unique address the same crowd makes several accounts", TIMEOUT, async ({ skip }) => {
  skip(databaseKind() === "embedded", HIDDEN);
  await db.$executeRaw`DROP INDEX "User_email_key"`;

  let users = 0;
  // By chance a crowd comes one after another: not every one does.
  for (let round = 0; round < 5 && users <= 1; round++) {
    await db.user.deleteMany();
    await accountsAtOnce(5);
    users = await db.user.count();
  }

  await db.user.deleteMany();
  await db.$executeRaw`CREATE UNIQUE INDEX "User_email_key" ON "User"("email")`;
  expect(users).toBeGreaterThan(1);
  reportBar({ bar: "C15", measure: "5 sign-ups at once without the unique address", figure: `${users} accounts`, ok: users > 1 });
});

test("a naive check before the insert makes many owners", TIMEOUT, async ({ skip }) => {
  skip(databaseKind() === "embedded", HIDDEN);
  let checked = 0;
  const naiveSetUp = (index: number) =>
    db.$transaction(async (tx) => {
      if ((await tx.user.count({ where: { role: "OWNER" } })) > 0) throw new Error("there is an owner");
      checked++;
      // Sooner or later somebody else looks before this one has written: here at once.
      await vi.waitFor(() => expect(checked).toBeGreaterThan(1), { timeout: 4000 });
      await tx.user.create({ data: { email: `person-${index}@example.org`, name: "Ada", username: `ada-${index}`, passwordHash: "x", role: "OWNER" } });
    });

  await Promise.allSettled(Array.from({ length: 20 }, (_, index) => naiveSetUp(index)));

  const owners = await db.user.count();
  expect(owners).toBeGreaterThan(1);
  reportBar({ bar: "C15", measure: "20 naive set-ups at once", figure: `${owners} owners`, ok: owners > 1 });
});
