import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Pool } from "undici";
import { expect } from "vitest";
import type { z } from "zod";
import type { boardJson } from "#server/boards";
import type { sessionJson } from "#server/sessions";
import type { settingsJson } from "#server/settings";
import type { ownUserJson, signedInUserJson } from "#server/users";
import { loadContract } from "./contract.ts";

export type Board = z.infer<typeof boardJson>;

/** What bodies can hold. Which of it one does hold is checked against the OpenAPI document, so a test may take it. */
export type Body = {
  message: string;
  code: string;
  is_setup: boolean;
  status: string;
  user: z.infer<typeof signedInUserJson> & z.infer<typeof ownUserJson>;
  boards: Board[];
  board: Board;
  settings: z.infer<typeof settingsJson>;
  sessions: (Omit<z.infer<typeof sessionJson>, "sessionId"> & { sessionId: string })[];
  verify: { success: boolean };
  reset: { success: boolean };
};

export type Answer = { status: number; headers: Record<string, string>; text: string; body: Body };

/** An answer as it came, in whatever way its address was asked: headers by their names in small letters, the body as UTF-8. */
export type Came = { method: string; path: string; status: number; headers: Record<string, string>; text: string };

export type Call = {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, with no content type but the one in `headers`. */
  raw?: string | Buffer;
  token?: string;
  headers?: Record<string, string>;
};

/** The API of one server, for one caller. Every answer is checked against the OpenAPI document before a test sees it. */
export type Api = {
  call(method: string, path: string, call?: Call): Promise<Answer>;
  get(path: string, call?: Call): Promise<Answer>;
  post(path: string, json?: unknown, call?: Call): Promise<Answer>;
  patch(path: string, json?: unknown, call?: Call): Promise<Answer>;
  delete(path: string, call?: Call): Promise<Answer>;
  /** The same API for a caller who sends this with every request. */
  as(call: Call): Api;
  close(): Promise<void>;
};

const V1 = "/api/v1";
// A thousand connections at once take a slow machine a while.
const PATIENCE_MS = 60_000;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
// What no answer may ever hold: bcrypt's and the columns' own marks.
const SECRETS = /\$2[aby]\$|passwordHash|tokenHash/;
const ADDRESS = /[a-z0-9._-]+@[a-z0-9.-]+\.[a-z]+/gi;
// They show examples of addresses.
const DOCUMENTS = /\/(openapi\.json|docs)\b/;
// As it stands in messages that say what an address looks like.
export const NOBODYS_ADDRESS = "name@example.com";

/** The API below `url`. A path that begins with `/api` is taken as it is, any other is below `/api/v1`. */
export function apiOf(url: string, defaults: Call = {}, pool = new Pool(url, { connectTimeout: PATIENCE_MS })): Api {
  async function call(method: string, given: string, { json, raw, token, headers }: Call = {}): Promise<Answer> {
    const path = isBelowApi(given) ? given : `${V1}${given}`;
    const bearer = token ?? defaults.token;
    const response = await pool.request({
      method: method as "GET",
      path,
      headers: {
        ...(json !== undefined && { "content-type": "application/json" }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...defaults.headers,
        ...headers,
      },
      body: json === undefined ? raw : JSON.stringify(json),
    });
    const text = await response.body.text();
    const answer = { status: response.statusCode, headers: flatHeaders(response.headers), text };
    return { ...answer, body: await checkAnswer(url, { method, path, ...answer }) };
  }

  return {
    call,
    get: (path, options) => call("GET", path, options),
    post: (path, json, options) => call("POST", path, { ...options, json }),
    patch: (path, json, options) => call("PATCH", path, { ...options, json }),
    delete: (path, options) => call("DELETE", path, options),
    as: (more) => apiOf(url, { ...defaults, ...more, headers: { ...defaults.headers, ...more.headers } }, pool),
    close: () => pool.close(),
  };
}

/** An address that no other test uses. */
export function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

export const PASSWORD = "a long enough password";

/** Headers by their names, those that came several times in one line. */
export function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Expects of an answer of the server at `url` what holds for every one below `/api`, whatever was asked and however; of an operation's what the OpenAPI document says. Gives its body. */
export async function checkAnswer(url: string, { method, path, ...came }: Came): Promise<Body> {
  const answer = { ...came, body: parse(came.text, came.headers) };
  if (!isBelowApi(path)) return answer.body;
  expect(answer.headers["x-request-id"], `${method} ${path}`).toMatch(UUID);
  expect(answer.text).not.toMatch(SECRETS);
  // An address is shown to the person it belongs to, as their own, and nowhere else.
  const shown = answer.text.match(ADDRESS) ?? [];
  if (!DOCUMENTS.test(path)) expect(shown.filter((address) => ![answer.body.user?.email, NOBODYS_ADDRESS].includes(address))).toEqual([]);
  const operation = operationOf(path);
  if (!operation) return answer.body;
  const contract = await loadContract(url);
  expect(contract.problems(method, operation, answer), `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 300)}`).toEqual([]);
  return answer.body;
}

/** Reads an answer of the server at `url` to its end, and checks it as `checkAnswer`; one that the end of the connection cut off is not looked at. */
export async function checkWhole(url: string, response: IncomingMessage, asked: { method: string; path: string }): Promise<void> {
  const body = await text(response).catch(() => null);
  if (body !== null && response.complete)
    await checkAnswer(url, { ...asked, status: response.statusCode ?? 0, headers: flatHeaders(response.headers), text: body });
}

function parse(text: string, headers: Record<string, string>): Body {
  return (text !== "" && headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : {}) as Body;
}

function isBelowApi(path: string): boolean {
  return /^\/+api(?!\w)/i.test(path);
}

/** The operation that `path` asks for, however its address is spelled (`/api//v1/x/../boards`), as the document names it; undefined for another address of the site. */
function operationOf(path: string): string | undefined {
  // To a browser a backslash is a slash; to the server it is a letter.
  const { pathname, search } = new URL(path.replace(/\/{2,}/g, "/").replaceAll("\\", "%5C"), "http://localhost");
  const [, operation] = pathname.match(/^\/api\/v1(\/(?!docs\b).*)/) ?? [];
  return operation && operation + search;
}
