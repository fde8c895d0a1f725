import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { whileAnswering } from "#lib/answer";
import { isDraining, startDraining } from "#lib/draining";
import { env } from "#lib/env";
import type { ErrorCode } from "#lib/errors";
import { log } from "#lib/log";
import { nextPath } from "#lib/next-path";
import { FRONT_HEADERS } from "#lib/visit";
import { contentSecurityPolicy, securityHeaders } from "./security-headers.ts";

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The small server in front of Next: it answers for what Next never hands on, and tells the handlers what they may believe of a request. */
export type Front = {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** From now on requests go to Next. */
  start: (next: NextHandler) => void;
  /** From now on answers end their connection, and the readiness probe says no. */
  drain: () => void;
};

// Uploads, the largest bodies there are, may have 10 MiB; each endpoint has its own, lower limit.
const MAX_BODY_BYTES = 11 * 1024 * 1024;
// How much of a form that is too large is read and dropped, so that its sender hears why.
const MAX_DROPPED_BYTES = 100 * 1024 * 1024;
const STARTING = "Heard is starting. Try again in a moment.";
const HANDED_ON_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
// The one page among the API's addresses: what people read of it.
const REFERENCE = /^\/+api\/v1\/docs\/?(\?|$)/;
// Nobody outside this process knows it: what carries it was handed on by us before.
const INNER_MARK = randomUUID();
// What Next or our handlers would believe, were a client to send it.
const NOT_FROM_CLIENTS = [
  ...Object.values(FRONT_HEADERS),
  "content-security-policy",
  "content-security-policy-report-only",
  "x-nonce",
  "x-middleware-subrequest",
];
// What Next's own pages send when somebody moves between them. Next answers it before any handler is asked, which the API has no use for.
const BETWEEN_PAGES = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url", "next-action"];

/** Makes the front server's request handler. Until `start` is called every request is answered 503. */
export function createFront(): Front {
  let next: NextHandler | null = null;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    request.url = pathOf(request.url ?? "/");
    logWhenDone(request, response, requestId);
    identify(request, requestId);
    const isApi = isApiAddress(request.url);
    response.setHeader("X-Request-Id", requestId);
    protect(request, response, isApi);
    if (isDraining()) response.setHeader("Connection", "close");
    if (!next) return isApi ? answerEarly(request.url, response) : sayStarting(response);
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return refuseLargeBody(request, response, isApi);
    limitBody(request, response);
    if (isApi) for (const name of BETWEEN_PAGES) delete request.headers[name];
    tidyUrl(request, isApi);
    const handOn = next;
    whileAnswering(response, () => handOn(request, response)).catch((error: unknown) => {
      log.error({ err: error, req_id: requestId }, "request failed");
      if (!response.headersSent) refuse(response, { status: 500, code: "SERVER_ERROR", message: "Something went wrong!" });
      else response.destroy();
    });
  }

  return {
    handle,
    start: (handler) => {
      next = handler;
    },
    drain: startDraining,
  };
}

/** Answers what is no HTTP, or has too long a head, in the same form as every other failure, and hangs up. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The request's headers are too long."]
      : ["400 Bad Request", "The request is no valid HTTP."];
  const requestId = randomUUID();
  const body = JSON.stringify({ message, code: "VALIDATION_ERROR" satisfies ErrorCode });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    // Nothing of the request can be believed: whether the site is at home on https is known by its settings alone.
    ...securityHeaders({ isHttps: env().SITE_URL?.startsWith("https:") ?? false }).map((header) => header.join(": ")),
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  log.info({ req_id: requestId, route: null, status: Number.parseInt(status, 10), ms: 0 }, "request");
}

/** The client's address: the socket's peer, or counted from the right of X-Forwarded-For by exactly as many proxies as are configured. */
export function clientAddress(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const hops = [...(forwardedFor?.split(",").map((hop) => hop.trim()) ?? []), peer];
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? peer;
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

function identify(request: IncomingMessage, requestId: string): void {
  const { headers } = request;
  // Next asks itself for the page that a form leads to, under another host: what was found out of the caller goes on being true.
  if (headers[FRONT_HEADERS.inner] === INNER_MARK) return;
  for (const name of NOT_FROM_CLIENTS) delete headers[name];
  const proxies = env().TRUSTED_PROXIES;
  const forwarded = (name: string) => (proxies > 0 ? lastOf(headers[name]) : undefined);
  headers[FRONT_HEADERS.requestId] = requestId;
  headers[FRONT_HEADERS.inner] = INNER_MARK;
  headers[FRONT_HEADERS.ip] = clientAddress(request.socket.remoteAddress ?? "unknown", [headers["x-forwarded-for"]].flat().join(",") || undefined, proxies);
  const protocol = forwarded("x-forwarded-proto") === "https" ? "https" : "http";
  const origin = `${protocol}://${forwarded("x-forwarded-host") ?? headers.host ?? ""}`;
  headers[FRONT_HEADERS.origin] = URL.canParse(origin) ? new URL(origin).origin : `http://${env().HOST}:${env().PORT}`;
  // Next compares these with the Origin of a form; a client must not choose them.
  headers["x-forwarded-host"] = new URL(headers[FRONT_HEADERS.origin] as string).host;
  headers["x-forwarded-proto"] = protocol;
  headers["x-forwarded-for"] = headers[FRONT_HEADERS.ip] as string;
}

/** Gives the answer what every answer carries. A page's nonce is new each time, and Next reads it from the request. */
function protect(request: IncomingMessage, response: ServerResponse, isApi: boolean): void {
  const policy = isApi ? undefined : contentSecurityPolicy(randomBytes(16).toString("base64"));
  if (policy) request.headers["content-security-policy"] = policy;
  const isHttps = String(request.headers[FRONT_HEADERS.origin]).startsWith("https:");
  for (const [name, value] of securityHeaders({ isHttps, policy })) response.setHeader(name, value);
}

function isApiAddress(url: string): boolean {
  return /^\/+api(\/|\?|$)/i.test(url) && !REFERENCE.test(url);
}

function lastOf(value: string | string[] | undefined): string | undefined {
  return [value].flat().join(",").split(",").at(-1)?.trim() || undefined;
}

/** What a request line names without the host that may stand before it (RFC 9112 §3.2.2): Next would go and fetch that for the caller. */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const [address, path = "/"] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(\/.*)?$/i.exec(target) ?? [];
  return address ? path : "/api/-";
}

/** Next answers a bad percent-encoding, repeated or trailing slashes and rare methods in its own ways: here they become addresses and methods that our routes answer. */
function tidyUrl(request: IncomingMessage, isApi: boolean): void {
  const [path = "/", query] = splitOnce(request.url ?? "/", "?");
  const tidy = isDecodable(path) ? (isApi ? path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1") : path.replace(/\/{2,}/g, "/")) : isApi ? "/api/-" : "/-";
  request.url = query === undefined ? tidy : `${tidy}?${query}`;
  if (HANDED_ON_METHODS.includes(request.method ?? "GET")) return;
  request.headers[FRONT_HEADERS.method] = request.method;
  request.method = "OPTIONS";
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isDecodable(path: string): boolean {
  try {
    // A browser takes a backslash for a slash, so that Next's redirect to a tidier address could lead to another host.
    return !/[\0\\]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Counts what arrives without a stated length, and ends the connection past the limit. */
function limitBody(request: IncomingMessage, response: ServerResponse): void {
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    bytes += chunk?.length ?? 0;
    if (bytes <= MAX_BODY_BYTES) return push(chunk, encoding);
    if (!response.headersSent) refuseBody(response);
    request.destroy();
    return false;
  };
}

/** Before Next is there the process lives, as whoever watches it must know, and everything else is to come again in a moment. */
function answerEarly(url: string, response: ServerResponse): void {
  const [path] = splitOnce(url, "?");
  if (path === "/api/health/live") return answerJson(response, 200, { status: "ok" });
  if (path === "/api/health/ready") return answerJson(response, 503, { status: "starting" });
  refuse(response, { status: 503, code: "SERVER_ERROR", message: "Something went wrong!" }, { "Retry-After": "2" });
}

/** A browser that came too early asks again by itself. */
function sayStarting(response: ServerResponse): void {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "2", Refresh: "2" }).end(STARTING);
}

function refuseBody(response: ServerResponse): void {
  refuse(response, { status: 413, code: "PAYLOAD_TOO_LARGE", message: "The body is too large." }, { Connection: "close" });
}

/** A program is refused at once. A form with too large a file leads back to its page, where `notice=too-large` says so (`TooLargeNotice`), once the browser has sent everything, for it listens no sooner. */
function refuseLargeBody(request: IncomingMessage, response: ServerResponse, isApi: boolean): void {
  const isForm = !isApi && !request.headers["next-action"] && Number(request.headers["content-length"]) <= MAX_DROPPED_BYTES;
  if (!isForm) return refuseBody(response);
  const [path] = splitOnce(request.url ?? "/", "?");
  const headers = { Location: `${nextPath(path)}?notice=too-large`, "Cache-Control": "no-store" };
  request.once("end", () => response.writeHead(303, headers).end()).resume();
}

type Refusal = { status: number; code: ErrorCode; message: string };

function refuse(response: ServerResponse, { status, code, message }: Refusal, headers: Record<string, string> = {}): void {
  answerJson(response, status, { message, code }, headers);
}

function answerJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers }).end(JSON.stringify(body));
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  const { method } = request;
  // Without the query: links carry tokens there.
  const [route] = splitOnce(request.url ?? "/", "?");
  response.once("close", () => {
    const ms = Math.round(performance.now() - startedAt);
    log.info(
      { req_id: requestId, method, route: route.slice(0, 300), status: response.statusCode, ms, aborted: response.writableFinished ? undefined : true },
      "request",
    );
  });
}
