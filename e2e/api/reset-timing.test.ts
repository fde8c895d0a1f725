import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, scale } from "#lib/testing/scale";
import { compareTimes } from "#lib/testing/timing";
import { startSite } from "../site.ts";
import { openBrowser } from "./browser.ts";
import { type Answer, type Api, apiOf, newEmail, PASSWORD } from "./client.ts";

const ROUNDS = scale(5, 500);
const PAUSE_MS = 30;
/** How long the server waits for what somebody else holds (`lib/postgres.ts`), before it goes on without. */
const LOCK_TIMEOUT_MS = 3000;

const { url, databaseUrl } = inject("site");
const api = apiOf(url);

/** Asks for a letter, naming an address. */
type Ask = (email: string) => Promise<Answer>;

const askForReset: Ask = (email) => api.post("/auth/password/reset", { email });

/** The confirming letter goes to whoever is signed in: an address that is named all the same is to change nothing. */
function askToConfirmBy(who: Api): Ask {
  return (email) => who.post("/auth/email/verify", { email });
}

/** Somebody who is signed in, and whose address is not confirmed yet. */
let asker: Api;
let others: string[];

async function signUp(): Promise<{ email: string; token: string }> {
  const email = newEmail();
  const { status, body } = await api.post("/auth/signup", { email, password: PASSWORD });
  expect(status).toBe(201);
  return { email, token: body.user.authToken };
}

beforeAll(async () => {
  asker = api.as({ token: (await signUp()).token });
  others = [];
  while (others.length < Math.min(ROUNDS, 20)) others.push((await signUp()).email);
}, 60_000);

/** Every way to ask, and what it answers to everybody. */
const WAYS: [letter: string, status: number, way: () => Ask][] = [
  ["a new password", 200, () => askForReset],
  ["the confirming letter, signed in", 200, () => askToConfirmBy(asker)],
  ["the confirming letter, signed out", 401, () => askToConfirmBy(api)],
];

/** An answer without what is another's in each: its date, its id, its nonce, and the address that was asked for. */
function withoutOwn(status: number, headers: Headers | Record<string, string>, text: string, email: string): object {
  const { date, "x-request-id": id, ...rest } = Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers));
  expect([date, id]).toEqual([expect.any(String), expect.any(String)]);
  const said = JSON.stringify([rest, text]).replaceAll(/'nonce-[^']+'/g, "'nonce'");
  return { status, said: said.replaceAll(email, "asked").replaceAll(encodeURIComponent(email), "asked") };
}

test.for(WAYS)("A5: neither a header nor the body of the answer tells whether there is an account: %s", async ([, expected, way]) => {
  const [[known = ""], unknown, ask] = [others, newEmail(), way()];
  const answerFor = async (email: string) => {
    const { status, headers, text } = await ask(email);
    return withoutOwn(status, headers, text, email);
  };

  const answer = await answerFor(known);

  expect(answer).toMatchObject({ status: expected });
  expect(await answerFor(unknown)).toEqual(answer);
});

test("A5: nor does the form for a new password tell", async () => {
  const [[known = ""], unknown] = [others, newEmail()];
  const answerFor = async (email: string) => {
    const response = await openBrowser(url).submit("/reset-password", { email });
    return withoutOwn(response.status, response.headers, await response.text(), email);
  };

  expect(await answerFor(unknown)).toEqual(await answerFor(known));
});

/** The same in an order of chance (Fisher and Yates). */
function shuffled<Item>(items: Item[]): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(randomInt(rest.length), 1)[0] as Item);
}

// Times say something only of many requests on a machine that does nothing else, so `npm test` measures and judges nothing.
test.for(WAYS)(
  "A5: it takes as long for an address without an account as for one with: %s",
  { timeout: 30_000 + ROUNDS * 400 },
  async ([letter, expected, way]) => {
    // As many, and asked for as often: what differs is the account alone.
    const strangers = others.map(() => newEmail());
    const ask = way();
    const timeOf = async (email: string) => {
      const start = performance.now();
      const { status } = await ask(email);
      const ms = performance.now() - start;
      expect(status).toBe(expected);
      return ms;
    };
    await timeOf(newEmail());
    const known: number[] = [];
    const unknown: number[] = [];

    // In an order of chance: what is done after an answer is then as likely to slow the one kind as the other.
    for (const isKnown of shuffled(Array.from({ length: 2 * ROUNDS }, (_, index) => index % 2 === 0))) {
      const [emails, times] = isKnown ? [others, known] : [strangers, unknown];
      times.push(await timeOf(emails[times.length % emails.length] ?? ""));
      await sleep(PAUSE_MS);
    }

    const { isAlike, figure } = compareTimes(known, unknown);
    const measure = `${ROUNDS} requests of each kind for ${letter}`;
    reportBar({ bar: "A5", measure, figure, ok: isAlike });
    if (isFullScale) expect(isAlike, figure).toBe(true);
  },
);

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
