import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { askedLocale } from "#lib/accept-language";
import { isMakeshift, shownBoard } from "#lib/answer";
import { CHOICE_COOKIES, THEMES } from "#lib/browser-choices";
import { dataVersion, isCurrent } from "#lib/changes";
import { env, isDevelopment } from "#lib/env";
import { namesEtag } from "#lib/etag";
import { LOCALES, PSEUDO_LOCALE } from "#lib/locales";
import { hasHeardAll, whenAllIsHeard } from "#lib/siblings";
import { FRONT_HEADERS, readCookie, SESSION_COOKIE } from "#lib/visit";
import { BETWEEN_PAGES } from "./paths.ts";

/** Answers that everybody gets alike, kept until something is written that they could show. */
export type KeptAnswers = {
  /**
   * Answers from memory if the answer to this request is there and still good. Else calls `make`, and keeps what that answers if it can be kept;
   * whoever asks the same meanwhile waits for it, so that a change on a busy site has each page made once, and not once for everybody.
   */
  answer(request: IncomingMessage, response: ServerResponse, make: () => void): void;
};

/**
 * `headers` are those beside what the front server gives every answer. `parts` are the body, each byte a character (`latin1`), which Node sends in one piece with the headers:
 * between each two stood `nonce`, which was that of the first answer and is spent. `version` is the data's, `boardId` the only board in it.
 */
type Kept = {
  version: number;
  boardId: string | undefined;
  headers: [name: string, value: OutgoingHttpHeader][];
  etag: string | undefined;
  nonce: string | null;
  parts: string[];
  bytes: number;
  gzipped?: string;
};

/** What an answer has before it is made. */
type Given = { version: number; headers: OutgoingHttpHeaders };

type Wish = { key: string; choices: string };

const PAGES = /^\/(boards\/[^/?]+|api\/v1\/docs)?(\?|$)/;
const API = /^\/api\/v1\/(boards(\/[^/?]+)?|settings\/site)(\?|$)/;
/** With one of these the answer is for somebody, for another site, or a part. */
const NOT_FOR_ALL = ["authorization", "origin", "range", ...BETWEEN_PAGES];
/** What is of a request that everybody could have made: by whom it came, the front server says. */
const HANDED_ON = ["host", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "content-security-policy", ...Object.values(FRONT_HEADERS)];
/** What is of one answer alone. */
const OF_ONE_ANSWER = /^(connection|keep-alive|date|transfer-encoding|content-length|content-security-policy|x-request-id)$/;
const NONCE = /(?<='nonce-)[^']+/;
/** Smaller answers would not get smaller. */
const MIN_GZIP_BYTES = 1024;
const MEGABYTE = 1_000_000;
/** One answer must not drive out all others. */
const MAX_SHARE = 1 / 8;

/** Makes the memory for `KEPT_ANSWERS_MB`; what was not asked for longest gives way. */
export function createKeptAnswers(maxBytes = isDevelopment() ? 0 : env().KEPT_ANSWERS_MB * MEGABYTE): KeptAnswers {
  const memory = createMemory(maxBytes);
  const beingMade = new Map<string, { version: number; done: Promise<void> }>();

  /** Sends what is kept, if it is good. */
  function give({ key }: Wish, request: IncomingMessage, response: ServerResponse): boolean {
    // `whenAllIsHeard` does not wait for good.
    if (!hasHeardAll()) return false;
    const kept = memory.take(key);
    if (!kept) return false;
    if (!isCurrent(kept.version, kept.boardId)) return false;
    // Asked for last, it is the last to give way.
    memory.keep(key, kept);
    for (const [name, value] of kept.headers) response.setHeader(name, value);
    send(kept, request.headers, response);
    return true;
  }

  function makeAndKeep({ key, choices }: Wish, request: IncomingMessage, response: ServerResponse, make: () => void): void {
    const version = dataVersion();
    if (version === null) return make();
    const { promise, resolve } = Promise.withResolvers<void>();
    const making = { version, done: promise };
    beingMade.set(key, making);
    void promise.then(() => beingMade.get(key) === making && beingMade.delete(key));
    const asked = { ...request.headers };
    const given = { version, headers: response.getHeaders() };
    makeCommon(choices, request);
    response.once("close", resolve);
    holdBack(response, (body) => {
      const kept = keptOf(key, response, body, given);
      const isForAll = response.statusCode === 200 && !response.destroyed && !response.hasHeader("set-cookie") && !isMakeshift(response);
      if (isForAll && isCurrent(version, kept.boardId)) memory.keep(key, kept);
      send(kept, asked, response);
      resolve();
    });
    make();
  }

  /** A crowd that keeps this process from hearing whether something was written waits for that, rather than have each page made anew. */
  function answerWhenHeard(wish: Wish, request: IncomingMessage, response: ServerResponse, make: () => void): void {
    whenAllIsHeard(() => {
      if (response.destroyed || response.headersSent || give(wish, request, response)) return;
      const making = beingMade.get(wish.key);
      if (!making || !isCurrent(making.version)) return makeAndKeep(wish, request, response, make);
      void making.done.then(() =>
        whenAllIsHeard(() => {
          if (response.destroyed || response.headersSent || give(wish, request, response)) return;
          // It was not for everybody, or something was written meanwhile: nobody waits twice.
          makeAndKeep(wish, request, response, make);
        }),
      );
    });
  }

  return {
    answer(request, response, make) {
      const wish = maxBytes > 0 ? wishOf(request) : null;
      if (!wish) return make();
      // Behind all that this turn of the event loop takes in, so that its answers go out one after another: a write wakes whoever waits for it, on this machine often a proxy,
      // and that takes longer than to answer from memory. Who is awake already needs no waking.
      setImmediate(() => answerWhenHeard(wish, request, response, make));
    },
  };
}

/** Answers by what was asked for, together at most `maxBytes` large. */
function createMemory(maxBytes: number) {
  const answers = new Map<string, Kept>();
  let bytes = 0;

  function take(key: string): Kept | undefined {
    const kept = answers.get(key);
    bytes -= kept?.bytes ?? 0;
    answers.delete(key);
    return kept;
  }

  function keep(key: string, kept: Kept): void {
    take(key);
    if (kept.bytes > maxBytes * MAX_SHARE) return;
    answers.set(key, kept);
    bytes += kept.bytes;
    for (const oldest of answers.keys()) {
      if (bytes <= maxBytes) return;
      take(oldest);
    }
  }

  return { take, keep };
}

function keptOf(key: string, response: ServerResponse, body: string, given: Given): Kept {
  const all = Object.entries(response.getHeaders()).map(([name, value = ""]): Kept["headers"][number] => [name, value]);
  const headers = all.filter(([name, value]) => value !== given.headers[name] && !OF_ONE_ANSWER.test(name));
  const etag = response.getHeader("etag")?.toString();
  const nonce = nonceOf(response);
  const parts = nonce === null ? [body] : body.split(nonce);
  // What has no nonce in it is kept compressed, too.
  const bytes = key.length + JSON.stringify(headers).length + body.length * (parts.length === 1 ? 2 : 1);
  return { version: given.version, boardId: shownBoard(response), headers, etag, nonce, parts, bytes };
}

/** What is asked for, as far as the answer depends on it beside the data: `choices` are the cookies that a page heeds. Null where the answer is not for everybody. */
function wishOf({ method, url = "", headers }: IncomingMessage): Wish | null {
  const isPage = PAGES.test(url);
  if (method !== "GET" || !(isPage || API.test(url)) || NOT_FOR_ALL.some((name) => headers[name] !== undefined)) return null;
  const { cookie: cookies } = headers;
  if (Object.values(SESSION_COOKIE).some((name) => readCookie(cookies, name) !== undefined)) return null;
  const choices = isPage ? choicesOf(cookies, headers["accept-language"]) : "";
  return { key: `${headers[FRONT_HEADERS.origin]} ${url} ${choices}`, choices };
}

/** The look and the language that a page gets, written as the cookies that choose them: whoever is to get the same page, however they ask, has the same. */
function choicesOf(cookies: string | undefined, acceptLanguage: string | undefined): string {
  const chosen = (name: keyof typeof CHOICE_COOKIES) => readCookie(cookies, CHOICE_COOKIES[name]);
  const choices = {
    theme: THEMES.find((theme) => theme === chosen("theme")),
    locale: [...LOCALES, PSEUDO_LOCALE].find((locale) => locale === chosen("locale")) ?? askedLocale(acceptLanguage ?? null),
    shortcuts: chosen("shortcuts") === "off" ? "off" : undefined,
  };
  return Object.entries(choices)
    .filter(([, value]) => value)
    .map(([name, value]) => `${CHOICE_COOKIES[name as keyof typeof choices]}=${value}`)
    .join("; ");
}

/** Makes a request one that everybody with this key could have sent, so that nothing of who sent it can show in an answer that others get. */
function makeCommon(choices: string, { headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (!HANDED_ON.includes(name)) delete headers[name];
  headers["user-agent"] = "Heard";
  if (choices) headers.cookie = choices;
}

/** Has everything that is written to `response` come to `send` at once, when it is whole. */
function holdBack(response: ServerResponse, send: (body: string) => void): void {
  const { write, end, writeHead, flushHeaders } = response;
  const chunks: Buffer[] = [];
  const hold = (args: unknown[]) => {
    const [chunk, encoding] = args;
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    const done = args.find((argument) => typeof argument === "function");
    if (done) process.nextTick(done);
  };
  // Whoever fails midway must not begin another answer after half of this one.
  Object.defineProperty(response, "headersSent", { get: () => chunks.length > 0, configurable: true });
  Object.assign(response, {
    write: (...args: unknown[]) => {
      hold(args);
      return true;
    },
    writeHead: (status: number, ...more: unknown[]) => {
      response.statusCode = status;
      const headers = more.find((each) => typeof each === "object") as OutgoingHttpHeaders | undefined;
      for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value ?? "");
      return response;
    },
    flushHeaders: () => {},
    end: (...args: unknown[]) => {
      hold(args);
      Object.assign(response, { write, end, writeHead, flushHeaders });
      Reflect.deleteProperty(response, "headersSent");
      send(Buffer.concat(chunks).toString("latin1"));
      return response;
    },
  });
}

/** Sends an answer with the nonce of its own policy, which headers name as well (`Link`), compressed for who understands that; or says that the caller has it already. */
function send(kept: Kept, asked: IncomingHttpHeaders, response: ServerResponse): void {
  if (response.statusCode === 200 && kept.etag !== undefined && namesEtag(asked["if-none-match"], kept.etag)) return sayKnown(response);
  const body = kept.nonce === null ? kept.parts.join("") : withNonce(kept, kept.nonce, response);
  const isGzipped = body.length >= MIN_GZIP_BYTES && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(asked["accept-encoding"] ?? ""));
  const sent = isGzipped ? gzipOf(kept, body) : body;
  if (isGzipped) response.setHeader("Content-Encoding", "gzip");
  if (response.statusCode !== 304 && response.statusCode !== 204) response.setHeader("Content-Length", sent.length);
  response.end(sent, "latin1");
}

/** Gives a kept page the nonce of its own policy in place of the one that it was made with, and returns its body. */
function withNonce({ headers, parts }: Kept, spent: string, response: ServerResponse): string {
  const nonce = nonceOf(response) ?? "";
  for (const [name, value] of headers) if (String(value).includes(spent)) response.setHeader(name, String(value).replaceAll(spent, nonce));
  return parts.join(nonce);
}

/** The nonce of the policy that the front server gave this answer; null where it is no page. */
function nonceOf(response: ServerResponse): string | null {
  return NONCE.exec(String(response.getHeader("content-security-policy")))?.[0] ?? null;
}

function sayKnown(response: ServerResponse): void {
  response.removeHeader("content-type");
  response.writeHead(304).end();
}

/** What has no nonce in it is compressed once. */
function gzipOf(kept: Kept, body: string): string {
  const gzip = (level?: number) => gzipSync(Buffer.from(body, "latin1"), { level }).toString("latin1");
  if (kept.parts.length > 1) return gzip(1);
  kept.gzipped ??= gzip();
  return kept.gzipped;
}
