import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { whileAnswering } from "#lib/answer";
import { isUnreadableForm } from "./unreadable-forms.ts";

const NEXTS_SIGN = "\u001b[31m\u001b[1m⨯\u001b[22m\u001b[39m";
const NOT_JSON = "Unexpected token 'g', \"garbage\" is not valid JSON";

/** An error as Next shows it: of places that are not the app's it leaves one line. */
function failed(message: string, ...places: string[]): Error {
  const stack = [`Error: ${message}`, ...places.map((place) => `    at ${place}`)].join("\n");
  return Object.assign(new Error(message), { stack, digest: "2524753760" });
}

/** What is found of `words`, said while a request of that method is answered. */
function found(method: string, ...words: unknown[]): boolean {
  const request = Object.assign(new IncomingMessage(new Socket()), { method });
  return whileAnswering(new ServerResponse(request), () => isUnreadableForm(words));
}

test.each([
  ["a body that is no JSON", failed(NOT_JSON, "JSON.parse (<anonymous>)")],
  ["parts that are missing", failed("Connection closed.", "ignore-listed frames")],
  ["words that look like a place of ours", failed("x\n    at evil (/app/.next/server/chunks/ssr/app_0.js:1:2)\n", "BigInt (<anonymous>)")],
  ["words that look like a place", failed("Cannot convert x\n    at evil (x) to a BigInt", "BigInt (<anonymous>)", "ignore-listed frames")],
])("what Next says of %s that was sent to a form is the sender's fault", (_what, error) => {
  expect(found("POST", NEXTS_SIGN, error)).toBe(true);
});

test.each([
  ["of a page", "GET", NEXTS_SIGN, failed(NOT_JSON, "JSON.parse (<anonymous>)")],
  ["that passed Heard's own code", "POST", NEXTS_SIGN, failed("no", "ignore-listed frames", "p (.next/server/chunks/ssr/app_0.js:1:2)")],
  ["of code of Heard's without a name", "POST", NEXTS_SIGN, failed("no", "Object.<anonymous> (.next/server/chunks/ssr/app_0.js:1:2)", "ignore-listed frames")],
  ["with a cause in Heard's own code", "POST", NEXTS_SIGN, Object.assign(failed("no", "ignore-listed frames"), { cause: failed("x", "p (app_0.js:1:2)") })],
  ["of a connection", "POST", NEXTS_SIGN, Object.assign(failed("no", "ignore-listed frames"), { syscall: "connect" })],
  [
    "of several, one of them in Heard's own code",
    "POST",
    NEXTS_SIGN,
    Object.assign(failed("no", "ignore-listed frames"), { errors: [failed("x", "p (app_0.js:1:2)")] }),
  ],
  ["whose words are not where they should be", "POST", NEXTS_SIGN, Object.assign(failed("no", "ignore-listed frames"), { message: "other" })],
  ["whose words name such frames", "POST", NEXTS_SIGN, failed("no\n    at ignore-listed frames")],
  ["that names no place", "POST", NEXTS_SIGN, failed("no")],
  ["of something else", "POST", "Failed", failed("no", "JSON.parse (<anonymous>)")],
])("a failure %s stays one", (_what, method, ...words) => {
  expect(found(method, ...words)).toBe(false);
});

test("what is said while nobody asks is about no form", () => {
  expect(isUnreadableForm([NEXTS_SIGN, failed(NOT_JSON, "JSON.parse (<anonymous>)")])).toBe(false);
});
