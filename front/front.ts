import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP, isIPv6, SocketAddress } from "node:net";
import { whileAnswering } from "#lib/answer";
import { isDraining, startDraining } from "#lib/draining";
import { env, siblingsSecret } from "#lib/env";
import { FAILED_MESSAGE } from "#lib/errors";
import { log } from "#lib/log";
import { countAnswer, hasMetrics } from "#lib/metrics";
import { FRONT_HEADERS } from "#lib/visit";
import { addressOf } from "./address.ts";
import { takeBody } from "./bodies.ts";
import { isRefused } from "./gate.ts";
import { createKeptAnswers } from "./kept.ts";
import { isRefusedMidway } from "./linger.ts";
import { answerMetrics, isMetricsAddress } from "./metrics.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { addressIn, BETWEEN_PAGES, isApiAddress, splitOnce, tidyUrl } from "./paths.ts";
import { answerJson, refuse, refuseForNow, SOON } from "./refusals.ts";
import { routeOf } from "./routes.ts";
import { contentSecurityPolicy, securityHeaders } from "./security-headers.ts";
import { sayStarting } from "./starting-page.ts";
import { inTurns } from "./turns.ts";

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The small server in front of Next: it answers for what Next never hands on, and tells the handlers what they may believe of a request. */
export type Front = {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** From now on requests go to Next. */
  start: (next: NextHandler) => void;
  /** From now on answers end their connection, and unless another process took over the readiness probe says no. */
  drain: typeof startDraining;
};

/** What the log and the figures say of a request that went before it was answered, as nginx does; no such status is ever sent. */
const CLOSED_BEFORE_ANSWER = 499;
// Nobody outside this process and its siblings knows it: what carries it was handed on by us before.
const INNER_MARK = siblingsSecret() || randomUUID();
// What Next or our handlers would believe, were a client to send it.
const NOT_FROM_CLIENTS = [
  ...Object.values(FRONT_HEADERS),
  "content-security-policy",
  "content-security-policy-report-only",
  "x-nonce",
  "x-middleware-subrequest",
];

/** Makes the front server's request handler. Until `start` is called every request is answered 503. */
export function createFront(): Front {
  let next: NextHandler | null = null;
  const kept = createKeptAnswers();
  const inTurn = inTurns();

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    request.url = addressIn(request.url ?? "/");
    logWhenDone(request, response, requestId);
    identify(request, requestId);
    const isApi = isApiAddress(request.url);
    response.setHeader("X-Request-Id", requestId);
    protect(request, response, isApi);
    if (isDraining()) response.setHeader("Connection", "close");
    if (isMetricsAddress(request.url)) return answerMetrics(request, response);
    if (!next) return isApi ? answerEarly(request.url, response) : sayStarting(request, response);
    if (isRefused(request, response, isApi)) return;
    // Next answers it before any handler is asked, which the API has no use for.
    if (isApi) for (const name of BETWEEN_PAGES) delete request.headers[name];
    tidyUrl(request, isApi);
    const handOn = next;
    const answer = () =>
      whileAnswering(response, () => handOn(request, response)).catch((error: unknown) => {
        // A body that broke off is no failure: whoever sent it has left, or has been told what was wrong with it.
        if (isRefusedMidway(response) || (request.destroyed && !request.complete && (response.destroyed || response.writableEnded)))
          return log.debug({ err: error, req_id: requestId }, "the request's body broke off");
        log.error({ err: error, req_id: requestId }, "request failed");
        if (!response.headersSent) refuse(response, { status: 500, code: "SERVER_ERROR", message: FAILED_MESSAGE });
        else response.destroy();
      });
    const answerUnlessOver = () => void (response.destroyed || response.headersSent || answer());
    const answerInTurn = () => inTurn(answerUnlessOver);
    takeBody(request, response, isApi, () => kept.answer(request, response, answerInTurn));
  }

  return {
    handle: oneAtATime(handle),
    start: (handler) => {
      next = handler;
    },
    drain: startDraining,
  };
}

/**
 * The client's address: the socket's peer, or counted from the right of X-Forwarded-For by exactly as many proxies as are configured. Some write a port
 * behind it; where there is no address, that of the peer counts.
 */
function clientAddress(peer: string, forwardedFor: string | undefined, trustedProxies: number): string {
  const hops = [...(forwardedFor?.split(",").map((hop) => hop.trim()) ?? []), peer];
  const hop = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? peer;
  const address = isIP(hop) ? hop : (/^\[?([\da-f:.]+?)\]?(?::\d+)?$/i.exec(hop)?.[1] ?? "");
  return inOneSpelling(isIP(address) ? address : peer);
}

/** IPv6 has many spellings of each address, and some of an IPv4 one: who has it is counted under one, whatever zone of ours it came by. */
function inOneSpelling(address: string): string {
  if (!isIPv6(address)) return address;
  // SocketAddress throws for some addresses with a zone that are good without it.
  return new SocketAddress({ address: address.replace(/%.*$/, ""), family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "");
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
  const asked = URL.parse(`${protocol}://${forwarded("x-forwarded-host") ?? headers.host ?? ""}`) ?? new URL(addressOf(env().HOST, env().PORT));
  headers[FRONT_HEADERS.origin] = asked.origin;
  // Next compares these with the Origin of a form; a client must not choose them.
  headers["x-forwarded-host"] = asked.host;
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

function lastOf(value: string | string[] | undefined): string | undefined {
  return [value].flat().join(",").split(",").at(-1)?.trim() || undefined;
}

/** Before Next is there the process lives, as whoever watches it must know, and everything else is to come again in a moment. */
function answerEarly(url: string, response: ServerResponse): void {
  const [path] = splitOnce(url, "?");
  if (path === "/api/health/live") return answerJson(response, 200, { status: "ok" });
  if (path === "/api/health/ready") return answerJson(response, 503, { status: "starting" }, SOON);
  refuseForNow(response);
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  const { method } = request;
  // Without the query: links carry tokens there.
  const [route] = splitOnce(request.url ?? "/", "?");
  response.once("close", () => {
    const tookMs = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : CLOSED_BEFORE_ANSWER;
    if (hasMetrics()) countAnswer({ route: routeOf(route), status, seconds: tookMs / 1000 });
    const ms = Math.round(tookMs);
    // Of a body that was refused the whole answer is written before its end is said, which the sender seldom waits for.
    const aborted = response.writableFinished || isRefusedMidway(response) ? undefined : true;
    log.info({ req_id: requestId, method, route: route.slice(0, 300), status, ms, aborted }, "request");
  });
}
