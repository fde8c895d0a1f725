import { beforeEach, expect, test, vi } from "vitest";
import { RATE_LIMITS } from "#lib/rate-limits/defaults";
import { useDatabase } from "#lib/testing/database";
import { setUp } from "../setup.ts";
import { codeOf } from "../testing/failures.ts";
import { startLimits } from "../testing/limits.ts";
import { aMember, aVisit, PASSWORD } from "../testing/people.ts";
import { setUpFromMachine } from "./from-machine.ts";

vi.hoisted(() => Object.assign(process.env, { RATE_LIMITS: "on", MAIL: "outbox", SETUP_TOKEN: "a-long-token" }));

useDatabase();

beforeEach(() => startLimits());

const fromHere = () => aVisit({ ip: "192.0.2.1" });

test("past the limit nobody learns whether a set-up token is right", async () => {
  const attempt = (setupToken: string) => codeOf(setUp(fromHere(), { email: "first@example.org", password: PASSWORD, setupToken }));
  for (let count = 0; count < RATE_LIMITS.setup.points; count++) expect(await attempt("a-wrong-token")).toBe("FORBIDDEN");
  for (const guessed of ["a-wrong-token", "a-long-token"]) expect(await attempt(guessed)).toBe("RATE_LIMITED");

  vi.setSystemTime(Date.now() + RATE_LIMITS.setup.windowSeconds * 1000 + 1);
  expect(await attempt("a-long-token")).toBe("none");
});

test("a right set-up token uses up no try, whatever else is wrong", async () => {
  const { email } = await aMember();
  for (let count = 0; count < 2 * RATE_LIMITS.setup.points; count++)
    expect(await codeOf(setUp(fromHere(), { email, password: PASSWORD, setupToken: "a-long-token" }))).toBe("USER_EXISTS");
});

test("who can run commands on the machine sets the site up beside those who guess at its token from there", async () => {
  const here = aVisit({ ip: "127.0.0.1" });
  const guessed = { email: "first@example.org", password: PASSWORD, setupToken: "a-wrong-token" };
  for (let count = 0; count < RATE_LIMITS.setup.points; count++) await codeOf(setUp(here, guessed));
  expect(await codeOf(setUp(here, guessed))).toBe("RATE_LIMITED");

  expect(await codeOf(setUpFromMachine({ owner: "first@example.org" }))).toBe("none");
});
