import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { compareTimes } from "#lib/testing/timing";
import { startSite } from "../site.ts";
import { openBrowser } from "./browser.ts";
import { apiOf, newEmail, PASSWORD } from "./client.ts";

const ROUNDS = scale(5, 500);
/** How long the server waits for what somebody else holds (`lib/postgres.ts`), before it goes on without. */
const LOCK_TIMEOUT_MS = 3000;

const { url, databaseUrl } = inject("site");
const api = apiOf(url);

/** How long asking for a new password took, in milliseconds. The answer is the same for everybody. */
async function timeOf(email: string): Promise<number> {
  const start = performance.now();
  const { status, headers, body } = await api.post("/auth/password/reset", { email });
  const ms = performance.now() - start;
  expect([status, headers["content-type"], body]).toEqual([200, "application/json", { reset: { success: true } }]);
  return ms;
}

/** An answer without what is another's in each: its date, its id, its nonce, and the address that was asked for. */
function withoutOwn(status: number, headers: Headers | Record<string, string>, text: string, email: string): object {
  const { date, "x-request-id": id, ...rest } = Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers));
  expect([date, id]).toEqual([expect.any(String), expect.any(String)]);
  const said = JSON.stringify([rest, text]).replaceAll(/'nonce-[^']+'/g, "'nonce'");
  return { status, said: said.replaceAll(email, "asked").replaceAll(encodeURIComponent(email), "asked") };
}

test("A5: neither a header nor the body of the answer tells whether there is an account, by the API and by the form", async () => {
  const [known, unknown] = [newEmail(), newEmail()];
  expect((await api.post("/auth/signup", { email: known, password: PASSWORD })).status).toBe(201);
  const ofApi = async (email: string) => {
    const { status, headers, text } = await api.post("/auth/password/reset", { email });
    return withoutOwn(status, headers, text, email);
  };
  const ofForm = async (email: string) => {
    const response = await openBrowser(url).submit("/reset-password", { email });
    return withoutOwn(response.status, response.headers, await response.text(), email);
  };

  for (const ask of [ofApi, ofForm]) expect(await ask(unknown)).toEqual(await ask(known));
});

// Times say something only of many requests on a machine that does nothing else, so `npm test` measures and judges nothing.
test("A5: asking for a new password takes as long for an address without an account as for one with", { timeout: 30_000 + ROUNDS * 400 }, async () => {
  const addresses: string[] = [];
  for (let count = 0; count < Math.min(ROUNDS, 20); count++) {
    const email = newEmail();
    expect((await api.post("/auth/signup", { email, password: PASSWORD })).status).toBe(201);
    addresses.push(email);
  }
  // As many, and asked for as often: what differs is the account alone.
  const strangers = addresses.map(() => newEmail());
  await timeOf(newEmail());
  const known: number[] = [];
  const unknown: number[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    // Each first in turn, so that neither gains from its place.
    const pair = [
      () => timeOf(addresses[round % addresses.length] ?? "").then((ms) => known.push(ms)),
      () => timeOf(strangers[round % strangers.length] ?? "").then((ms) => unknown.push(ms)),
    ];
    for (const run of round % 2 ? pair : pair.reverse()) {
      await run();
      // What is done after an answer is not to slow the next one.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  const { isAlike, figure } = compareTimes(known, unknown);
  const measure = `${ROUNDS} requests for a new password of each kind`;
  reportBar({ bar: "A5", measure, figure, database: databaseUrl ? "postgresql" : "embedded", ok: isAlike });
  if (process.env.PROVE === "1") expect(isAlike, figure).toBe(true);
});

// Only PostgreSQL has somebody else hold what the letter needs.
test.runIf(databaseUrl)("A5: the answer waits for nothing that only an account's letter needs, by the API and by the form", async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  onTestFinished(site.remove);
  const browser = openBrowser(site.url);
  const { email } = site.owner;
  const ask = { api: () => apiOf(site.url).post("/auth/password/reset", { email }), form: () => browser.submit("/reset-password", { email }) };
  // Once before: what a first answer loads is loaded by then.
  for (const way of Object.values(ask)) await way();
  const holder = new pg.Client({ connectionString: site.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE "User", "MailToken", "Mail" IN ACCESS EXCLUSIVE MODE');

  for (const [way, askForLetter] of Object.entries(ask)) {
    const start = performance.now();
    const { status } = await askForLetter();
    const ms = performance.now() - start;

    expect([way, status]).toEqual([way, way === "api" ? 200 : 303]);
    expect(ms, way).toBeLessThan(LOCK_TIMEOUT_MS);
  }
});
