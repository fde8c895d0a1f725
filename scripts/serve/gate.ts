import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { API_BODY_BYTES, FRONT_HEADERS } from "#lib/visit";
import { createHold } from "./hold.ts";
import type { TakePiece } from "./linger.ts";
import { isFile, isReference } from "./paths.ts";
import { refuse, refuseBody, refuseBodyForNow, refuseLargeBody, refuseMethod } from "./refusals.ts";
import { createRoom } from "./room.ts";

// Each endpoint has its own, lower limit. Anybody may send this much to any address, and as many at once as `roomForHandedOn` has place for.
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** The longest body that any address takes. Pictures may have 10,000,000 bytes, and come in a form that has a few more. */
export const MAX_PICTURE_FORM_BYTES = 11 * 1024 * 1024;
const TAKES_PICTURES = /^\/(me|dashboard\/settings\/branding)\/?(\?|$)/;
/** No page or operation takes ten. What Next does with names takes a time that grows with the square of their number, before any handler is asked. */
const MAX_QUERY_NAMES = 100;
/** As with names; Chrome and Firefox keep 180 for a domain (`kDomainMaxCookies`, `network.cookie.maxPerHost`). */
const MAX_COOKIES = 200;
/** A boundary may have 70 characters (RFC 2046 §5.1.1); Next looks for a long one in a time that grows with its length and the body's. */
const MAX_FORM_TYPE_LENGTH = 200;
/** A body that comes in pieces smaller than this, beyond the first thousand, costs more to take in than to send. */
const SMALL_PIECE_BYTES = 256;
/** What bodies that are handed on take beyond words, until they are answered: they are taken in whole. Eleven of the largest pictures at once, and people sign in beside them. */
const roomForHandedOn = createRoom(128 * 1024 * 1024);
const WORDS_BYTES = 64 * 1024;
const ROUTER_STATE = "next-router-state-tree";

/** Refuses what no handler could do anything with. */
export function isRefused(request: IncomingMessage, response: ServerResponse, isApi: boolean): boolean {
  if (!hasOneHost(request)) refuse(response, { status: 400, code: "VALIDATION_ERROR", message: "A request names its host, once." }, { Connection: "close" });
  else if (isMoreThan(MAX_QUERY_NAMES, "&", request.url))
    refuse(response, { status: 400, code: "VALIDATION_ERROR", message: `A query has at most ${MAX_QUERY_NAMES} names.` }, { Connection: "close" });
  else if (isMoreThan(MAX_COOKIES, ";", request.headers.cookie))
    refuse(response, { status: 400, code: "VALIDATION_ERROR", message: `A request has at most ${MAX_COOKIES} cookies.` }, { Connection: "close" });
  else if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes(request)) refuseLargeBody(request, response, isApi);
  else if (!isApi && !allowedAt(request).includes(request.method ?? "GET")) refuseMethod(request, response, [...allowedAt(request), "OPTIONS"].join(", "));
  else if (!isApi && isFormFromElsewhere(request))
    refuse(response, { status: 403, code: "FORBIDDEN", message: "A form is taken from this site's own pages alone." });
  else if (!isApi && hasUnfitBoundary(request))
    refuse(response, { status: 400, code: "VALIDATION_ERROR", message: "The form's Content-Type has no boundary, or a longer one than forms have." });
  else {
    if (!isApi) dropBrokenRouterState(request);
    if (isFile(request.url)) dropPreconditions(request);
    return false;
  }
  return true;
}

/** RFC 9112 §3.2 has a server refuse everything else; Node would believe the first of several, and answer none in a form of its own. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

function isMoreThan(count: number, separator: string, text = ""): boolean {
  return text.split(separator, count + 1).length > count;
}

/** What a page is asked by a browser: to be shown, and to take a form that stands on it. The API reference refuses what a program posts to it as the API does. */
function allowedAt({ url = "/", headers }: IncomingMessage): string[] {
  if (isFile(url)) return ["GET", "HEAD"];
  const isForm = headers["next-action"] !== undefined || /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(headers["content-type"] ?? "");
  return isReference(url) && !isForm ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
}

/** Browsers say of the page that a form was sent from what it is to this site (as `crossSiteProblem` asks of the API), and of which origin; Next refuses another origin's with a 500. */
function isFormFromElsewhere({ method, headers }: IncomingMessage): boolean {
  const { origin, "sec-fetch-site": site = "none" } = headers;
  if (method !== "POST") return false;
  if (site !== "same-origin" && site !== "none") return true;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(String(headers[FRONT_HEADERS.origin])).host;
}

/** Next fails on a form without one. */
function hasUnfitBoundary({ headers }: IncomingMessage): boolean {
  const type = headers["content-type"] ?? "";
  return /^multipart\/form-data\b/i.test(type) && (type.length > MAX_FORM_TYPE_LENGTH || !/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(type));
}

/** Next answers with a 500 where they cannot be met; who sends none gets the whole file. */
function dropPreconditions({ headers }: IncomingMessage): void {
  for (const name of ["range", "if-range", "if-match", "if-unmodified-since"]) delete headers[name];
}

/** Where a page says it stands, in words that Next fails on, it is answered as one that says nothing. */
function dropBrokenRouterState({ headers }: IncomingMessage): void {
  try {
    parseAndValidateFlightRouterState(headers[ROUTER_STATE]);
  } catch {
    delete headers[ROUTER_STATE];
  }
}

/**
 * Counts what arrives, and refuses it past the limit, where it comes in crumbs, or where there is no room for it just now. Hands the request on at once; but one for
 * an operation, with a body whose length nobody states, when that is whole, as proxies do that buffer: Next would take in and copy as much as comes, however little of it the
 * operation reads. What is to be refused hears it then, too.
 */
export function takeBody(request: IncomingMessage, response: ServerResponse, isApi: boolean, handOn: () => void): void {
  // Behind another request on its connection some of it may have been taken in already: its socket is read no further until somebody reads it, and Next takes no body that somebody
  // began to read.
  const isHeldBack = isApi && isTakenInWhole(request) && !request.complete && request.readableLength === 0;
  const maxBytes = isHeldBack ? API_BODY_BYTES : maxBodyBytes(request);
  const push = request.push.bind(request);
  const hold = isHeldBack ? createHold() : null;
  const hasRoom = roomFor(response);
  let [bytes, pieces] = [0, 0];
  let drop: TakePiece | undefined;
  const end = (refuseIt: typeof refuseBody, chunk: Buffer | null) => {
    hold?.release();
    drop = () => false;
    if (response.headersSent) request.destroy();
    else drop = refuseIt(request, response);
    return drop(chunk);
  };
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (drop) return drop(chunk);
    bytes += chunk?.length ?? 0;
    pieces += 1;
    if (bytes > maxBytes || pieces > 1000 + bytes / SMALL_PIECE_BYTES) return end(refuseBody, chunk);
    // One that is held takes of this room when it is whole.
    if ((!hold || !chunk) && !hasRoom(bytes)) return end(refuseBodyForNow, chunk);
    if (!hold) return push(chunk, encoding);
    // Where this was false, the socket would be read no further, and nobody reads here yet.
    if (chunk) return hold.take(chunk) || end(refuseBodyForNow, chunk);
    push(hold.release());
    push(null);
    handOn();
    return false;
  };
  if (hold) request.once("close", hold.release);
  else handOn();
}

/** Whether there is room for so many bytes of the body that `response` is to answer. */
function roomFor(response: ServerResponse): (bytes: number) => boolean {
  let taken = 0;
  response.once("close", () => roomForHandedOn.giveBack(taken));
  return (bytes) => {
    const more = Math.max(0, bytes - WORDS_BYTES) - taken;
    // What comes after the answer is dropped.
    if (more <= 0 || response.closed) return true;
    if (!roomForHandedOn.take(more)) return false;
    taken += more;
    return true;
  };
}

/** Whether Next takes in as much of its body as comes: where that has no stated length. Of a GET and a HEAD it takes in none. */
function isTakenInWhole({ method = "GET", headers }: IncomingMessage): boolean {
  return !["GET", "HEAD"].includes(method) && headers["content-length"] === undefined && headers["transfer-encoding"] !== undefined;
}

function maxBodyBytes({ url = "/" }: IncomingMessage): number {
  return TAKES_PICTURES.test(url) ? MAX_PICTURE_FORM_BYTES : MAX_BODY_BYTES;
}
