import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { whileAnswering } from "#lib/answer";
import { isUnreadableForm } from "./unreadable-forms.ts";

const UNREADABLE = "⨯ SyntaxError: Unexpected token 'g', … is not valid JSON\n    at JSON.parse (<anonymous>) {\n  digest: '2524753760'\n}";

/** What is found of `text`, said while a request of that method is answered. */
function found(method: string, text: string): boolean {
  const request = Object.assign(new IncomingMessage(new Socket()), { method });
  return whileAnswering(new ServerResponse(request), () => isUnreadableForm(text));
}

test.each([
  ["a body that is no JSON", UNREADABLE],
  ["parts that are missing", "⨯ Error: Connection closed.\n    at ignore-listed frames {\n  digest: '3532204909'\n}"],
])("what Next says of %s that was sent to a form is the sender's fault", (_what, text) => {
  expect(found("POST", text)).toBe(true);
});

test.each([
  ["of a page", "GET", UNREADABLE],
  ["that passed Heard's own code", "POST", "⨯ Error: no\n    at ignore-listed frames\n    at p (.next/server/chunks/ssr/app_0.js:1:2) {\n  digest: '1'\n}"],
  ["of code of Heard's without a name", "POST", "⨯ Error: no\n    at Object.<anonymous> (.next/server/chunks/ssr/app_0.js:1:2)\n    at ignore-listed frames"],
  ["whose words name such frames", "POST", "⨯ Error: no\n    at ours ignore-listed frames"],
  ["that names no place", "POST", "⨯ Error: no"],
  ["of something else", "POST", "Error: no\n    at JSON.parse (<anonymous>)"],
])("a failure %s stays one", (_what, method, text) => {
  expect(found(method, text)).toBe(false);
});

test("what is said while nobody asks is about no form", () => {
  expect(isUnreadableForm(UNREADABLE)).toBe(false);
});
