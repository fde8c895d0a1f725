import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { askedLocale } from "#lib/accept-language";
import { isMakeshift } from "#lib/answer";
import { CHOICE_COOKIES, THEMES } from "#lib/browser-choices";
import { dataVersion } from "#lib/changes";
import { env } from "#lib/env";
import { LOCALES, PSEUDO_LOCALE } from "#lib/locales";
import { FRONT_HEADERS, readCookie, SESSION_COOKIE } from "#lib/visit";
import { BETWEEN_PAGES } from "./paths.ts";

/** Answers that everybody gets alike, kept until something is written that they could show. */
export type KeptAnswers = {
  /** Answers from memory, if the answer to this request is there and still good. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Keeps the answer that is about to be made, if it is one that can be. */
  keepNext(request: IncomingMessage, response: ServerResponse): void;
};

/** `parts` are the body: between each two stands the nonce. `version` is the data's. */
type Kept = { version: number; headers: OutgoingHttpHeaders; parts: Buffer[]; bytes: number; gzipped?: Buffer };

const PAGES = /^\/(boards\/[^/?]+)?(\?|$)/;
const API = /^\/api\/v1\/(boards(\/[^/?]+)?|settings\/site)(\?|$)/;
/** With one of these the answer is for somebody, for another site, or a part. */
const NOT_FOR_ALL = ["authorization", "origin", "range", ...BETWEEN_PAGES];
/** What is of one answer alone. */
const OF_ONE_ANSWER = /^(connection|keep-alive|date|transfer-encoding|content-length|content-security-policy|x-request-id)$/;
/** Stands where a page's nonce will, and is as long as one. It never leaves the process, so no text can contain it on purpose. */
const NONCE_PLACE = randomBytes(16).toString("base64");
const NONCE = /(?<='nonce-)[^']+/;
/** Smaller answers would not get smaller. */
const MIN_GZIP_BYTES = 1024;
const MEGABYTE = 1_000_000;

/** Makes the memory for `KEPT_ANSWERS_MB`; what was not asked for longest gives way. */
export function createKeptAnswers(maxBytes = env().KEPT_ANSWERS_MB * MEGABYTE): KeptAnswers {
  const answers = new Map<string, Kept>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  }

  function keep(key: string, kept: Kept): void {
    remove(key);
    // One answer must not drive out all others.
    if (kept.bytes > maxBytes / 8) return;
    answers.set(key, kept);
    bytes += kept.bytes;
    for (const oldest of answers.keys()) {
      if (bytes <= maxBytes) return;
      remove(oldest);
    }
  }

  return {
    answer(request, response) {
      const key = keyOf(request);
      const kept = key === null ? undefined : answers.get(key);
      if (key === null || !kept) return false;
      remove(key);
      if (kept.version !== dataVersion()) return false;
      // Asked for last, it is the last to give way.
      keep(key, kept);
      for (const [name, value] of Object.entries(kept.headers)) response.setHeader(name, value ?? "");
      if (isKnown(request, response)) response.writeHead(304).end();
      else sendBody(kept, request.headers["accept-encoding"], response);
      return true;
    },
    keepNext(request, response) {
      const [key, version, encodings] = [maxBytes > 0 ? keyOf(request) : null, dataVersion(), request.headers["accept-encoding"]];
      if (key === null || version === null) return;
      request.headers["content-security-policy"] &&= String(request.headers["content-security-policy"]).replace(NONCE, NONCE_PLACE);
      // It is kept as it is, and compressed on the way out.
      delete request.headers["accept-encoding"];
      holdBack(response, (body) => {
        const headers = Object.fromEntries(Object.entries(response.getHeaders()).filter(([name]) => !OF_ONE_ANSWER.test(name)));
        const kept = { version, headers, parts: split(body, NONCE_PLACE), bytes: key.length + body.length + JSON.stringify(headers).length };
        const isForAll = response.statusCode === 200 && !response.hasHeader("set-cookie") && !isMakeshift(response);
        if (isForAll && version === dataVersion()) keep(key, kept);
        sendBody(kept, encodings, response);
      });
    },
  };
}

/** What the answer depends on beside the data; null where it is not for everybody. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | null {
  const isPage = PAGES.test(url);
  if (method !== "GET" || !(isPage || API.test(url)) || NOT_FOR_ALL.some((name) => headers[name] !== undefined)) return null;
  const cookies = new Headers({ cookie: headers.cookie ?? "" });
  if (Object.values(SESSION_COOKIE).some((name) => readCookie(cookies, name) !== undefined)) return null;
  const origin = headers[FRONT_HEADERS.origin];
  if (!isPage) return `${origin} ${url}`;
  const chosen = (name: keyof typeof CHOICE_COOKIES) => readCookie(cookies, CHOICE_COOKIES[name]);
  // Only what a page heeds: what else somebody writes into a cookie must make no other key, nor one that is somebody else's.
  const theme = THEMES.find((each) => each === chosen("theme")) ?? "system";
  const locale = [...LOCALES, PSEUDO_LOCALE].find((each) => each === chosen("locale")) ?? askedLocale(headers["accept-language"] ?? null) ?? "site";
  return [origin, url, locale, theme, chosen("shortcuts") === "off"].join(" ");
}

/** Has everything that is written to `response` come to `send` at once, when it is whole. */
function holdBack(response: ServerResponse, send: (body: Buffer) => void): void {
  const { write, end, writeHead, flushHeaders } = response;
  const chunks: Buffer[] = [];
  const hold = (args: unknown[]) => {
    const [chunk, encoding] = args;
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    const done = args.find((argument) => typeof argument === "function");
    if (done) process.nextTick(done);
  };
  Object.assign(response, {
    write: (...args: unknown[]) => {
      hold(args);
      return true;
    },
    writeHead: (status: number, ...more: unknown[]) => {
      response.statusCode = status;
      for (const [name, value] of Object.entries((more.at(-1) as OutgoingHttpHeaders | undefined) ?? {})) response.setHeader(name, value ?? "");
      return response;
    },
    flushHeaders: () => {},
    end: (...args: unknown[]) => {
      hold(args);
      Object.assign(response, { write, end, writeHead, flushHeaders });
      send(Buffer.concat(chunks));
      return response;
    },
  });
}

/** Sends a body with the nonce of the answer's own policy, which headers name as well (`Link`), compressed for who understands that. */
function sendBody(kept: Kept, encodings: string | string[] | undefined, response: ServerResponse): void {
  const nonce = NONCE.exec(String(response.getHeader("content-security-policy")))?.[0] ?? "";
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (String(value).includes(NONCE_PLACE)) response.setHeader(name, String(value).replaceAll(NONCE_PLACE, nonce));
  const body = kept.parts.length === 1 ? (kept.parts[0] as Buffer) : join(kept.parts, Buffer.from(nonce));
  const isGzipped = body.length >= MIN_GZIP_BYTES && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(encodings ?? ""));
  const sent = isGzipped ? gzipOf(kept, body) : body;
  if (isGzipped) response.setHeader("Content-Encoding", "gzip");
  if (response.statusCode !== 304 && response.statusCode !== 204) response.setHeader("Content-Length", sent.length);
  response.end(sent);
}

/** What has no nonce in it is compressed once. */
function gzipOf(kept: Kept, body: Buffer): Buffer {
  if (kept.parts.length > 1) return gzipSync(body, { level: 1 });
  kept.gzipped ??= gzipSync(body);
  return kept.gzipped;
}

/** Whether the caller has this answer already (RFC 9110 §13.1.2). */
function isKnown({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const tag = response.getHeader("etag");
  return tag !== undefined && (headers["if-none-match"]?.split(",").some((known) => [String(tag), "*"].includes(known.trim().replace(/^W\//, ""))) ?? false);
}

function split(body: Buffer, place: string): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = body.indexOf(place); at >= 0; at = body.indexOf(place, from)) {
    parts.push(body.subarray(from, at));
    from = at + place.length;
  }
  return [...parts, body.subarray(from)];
}

function join(parts: Buffer[], nonce: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [nonce, part])));
}
