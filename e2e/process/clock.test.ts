import { resolve } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#lib/days";
import { reportBar } from "#lib/testing/bars";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { type Api, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer, type TestServer } from "../server.ts";

const template = inject("databaseTemplate");

let smtp: TestSmtpServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
});

afterAll(() => smtp?.close());

/** A server whose clock is off by `shiftMs`, on new data or those of `from`; the database, where it is PostgreSQL, and this test keep the machine's. */
async function startShifted(shiftMs: number, from?: TestServer): Promise<{ server: TestServer; api: Api }> {
  const clock = { NODE_OPTIONS: `--import=${resolve("lib/testing/programs/shift-clock.ts")}`, CLOCK_SHIFT_MS: String(shiftMs) };
  const server = await startServer({ ...(from ? { from } : { template }), env: { MAIL: "smtp", SMTP_URL: smtp.url, ...clock } });
  const api = apiOf(server.url);
  onTestFinished(server.remove);
  onTestFinished(() => api.close());
  return { server, api };
}

/** Goes on with the data of a server, by another clock. */
async function restartShifted(server: TestServer, shiftMs: number): Promise<{ server: TestServer; api: Api }> {
  await server.stop();
  return startShifted(shiftMs, server);
}

/** The token in the confirming letter to `email`, once it has come. */
async function linkTokenOf(email: string): Promise<string> {
  return vi.waitFor(
    () => {
      const letter = smtp.received.find(({ to }) => to.includes(email));
      const [, token] = /confirm-address\?token=([\w-]+)/.exec(letter?.mail.text ?? "") ?? [];
      if (!token) throw new Error(`No link was sent to ${email}`);
      return token;
    },
    { timeout: 20_000, interval: 50 },
  );
}

async function signUp(api: Api): Promise<{ authToken: string; linkToken: string }> {
  const email = newEmail();
  const { body } = await api.post("/auth/signup", { email, password: PASSWORD });
  return { authToken: body.user.authToken, linkToken: await linkTokenOf(email) };
}

const confirm = async (api: Api, token: string) => (await api.post("/auth/email/validate", { token })).status;
const whoAmI = async (api: Api, token: string) => (await api.get("/users/me", { token })).status;

test.for([-10, 10])("F13: with the clock %i min off, links and sessions live as long as they should", { timeout: 180_000 }, async (minutes) => {
  const off = minutes * MINUTE_MS;
  const first = await startShifted(off);
  expect((await first.api.post("/auth/setup", { email: newEmail(), password: PASSWORD })).status).toBe(201);
  const people = [await signUp(first.api), await signUp(first.api), await signUp(first.api)] as const;
  const atBirth = [await confirm(first.api, people[0].linkToken), await whoAmI(first.api, people[0].authToken)];

  // As far off to the other side, which is 20 min away from where those were made.
  const second = await restartShifted(first.server, -off);
  const acrossClocks = [await confirm(second.api, people[1].linkToken), await whoAmI(second.api, people[1].authToken)];
  const aDayOn = await restartShifted(second.server, off + DAY_MS + MINUTE_MS);
  const afterADay = [await confirm(aDayOn.api, people[2].linkToken), await whoAmI(aDayOn.api, people[2].authToken)];
  const aMonthOn = await restartShifted(aDayOn.server, off + 31 * DAY_MS + 2 * MINUTE_MS);
  const afterAMonth = await whoAmI(aMonthOn.api, people[2].authToken);

  const found = [atBirth, acrossClocks, afterADay, afterAMonth];
  const expected = [[200, 200], [200, 200], [400, 200], 401];
  reportBar({
    bar: "F13",
    measure: `clock ${minutes} min off: link and session at birth, across clocks, after a day, session after a month unused`,
    figure: found.flat().join(" "),
    ok: JSON.stringify(found) === JSON.stringify(expected),
  });
  expect(found).toEqual(expected);
});

test("F13: what the future wrote is shown and counted, and the present goes on beside it", { timeout: 120_000 }, async () => {
  const ahead = await startShifted(10 * MINUTE_MS);
  const { body } = await ahead.api.post("/auth/setup", { email: newEmail(), password: PASSWORD });
  const token: string = body.user.authToken;
  expect((await ahead.api.post("/boards", { name: "From the future" }, { token })).status).toBe(201);

  const behind = await restartShifted(ahead.server, -10 * MINUTE_MS);
  const pages = await Promise.all(["/", "/boards/from-the-future", "/feed.atom"].map((path) => fetch(behind.server.url + path)));
  const { sessions } = (await behind.api.get("/users/me/sessions", { token })).body;
  const board = await behind.api.post("/boards", { name: "From the past" }, { token });
  const { boards } = (await behind.api.get("/boards")).body;

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([sessions.length, board.status, boards.length]).toEqual([1, 201, 2]);
});
