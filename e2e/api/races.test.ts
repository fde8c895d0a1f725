import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { countRows } from "../stored.ts";
import { apiOf, PASSWORD } from "./client.ts";

const SIGNUPS = scale(100, 1000);
const SETUPS = scale(30, 200);
const FRESH_SITES = scale(2, 20);

const template = inject("databaseTemplate");

test(`C1: of ${SIGNUPS} sign-ups with one address at once exactly one makes an account`, { timeout: 300_000 }, async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const api = apiOf(site.url);
  const variants = ["crowd@example.com", "CROWD@example.com", "Crowd@Example.COM ", " cRoWd@eXaMpLe.CoM\t"];

  const answers = await Promise.all(
    Array.from({ length: SIGNUPS }, (_, index) => api.post("/auth/signup", { email: variants[index % variants.length], password: PASSWORD })),
  );

  const counts = countStatuses(answers);
  await api.close();
  await site.stop();
  const rows = await countRows(site, {
    users: `"User" WHERE lower(email) LIKE 'crowd%'`,
    letters: `"Mail" WHERE "to" = 'crowd@example.com'`,
    sessions: `"Session" s JOIN "User" u USING ("userId") WHERE u.email = 'crowd@example.com'`,
  });
  const ok = counts[201] === 1 && counts[409] === SIGNUPS - 1 && rows.users === 1;
  reportBar({
    bar: "C1",
    measure: `of ${SIGNUPS} sign-ups with one address: answers, rows`,
    figure: `${describe(counts)}; ${rows.users} row`,
    ok,
  });

  expect(counts).toEqual({ 201: 1, 409: SIGNUPS - 1 });
  expect(rows).toEqual({ users: 1, letters: 1, sessions: 1 });
});

test(`C2: of ${SETUPS} set-ups at once exactly one makes an owner, on ${FRESH_SITES} fresh sites`, { timeout: 1_800_000 }, async () => {
  let good = 0;
  const totals: Record<number, number> = {};
  for (let round = 0; round < FRESH_SITES; round++) {
    const server = await startServer({ template });
    onTestFinished(server.remove);
    const api = apiOf(server.url);

    const answers = await Promise.all(
      Array.from({ length: SETUPS }, (_, index) =>
        api.post("/auth/setup", { email: `owner-${index}@example.com`, password: PASSWORD, siteTitle: `Site ${index}` }),
      ),
    );

    const counts = countStatuses(answers);
    for (const [status, count] of Object.entries(counts)) totals[Number(status)] = (totals[Number(status)] ?? 0) + count;
    const winner = answers
      .find(({ status }) => status === 201)
      ?.body.user.email.replace(/\D+/g, "")
      .slice(0, 4);
    const { title } = (await api.get("/settings/site")).body.settings;
    await api.close();
    await server.stop();
    const rows = await countRows(server, { settings: '"SiteSettings"', users: '"User"', owners: `"User" WHERE role = 'OWNER'`, letters: '"Mail"' });
    await server.remove();
    expect([round, counts[201], (counts[403] ?? 0) + (counts[409] ?? 0), title]).toEqual([round, 1, SETUPS - 1, `Site ${winner}`]);
    expect(rows).toEqual({ settings: 1, users: 1, owners: 1, letters: 1 });
    good += 1;
  }
  reportBar({
    bar: "C2",
    measure: `fresh sites on which ${SETUPS} set-ups at once made one owner and one row of settings; all answers`,
    figure: `${good}/${FRESH_SITES}; ${describe(totals)}`,
    ok: good === FRESH_SITES,
  });
});

function countStatuses(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function describe(counts: Record<number, number>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count}×${status}`)
    .join(", ");
}
