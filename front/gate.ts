import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { FRONT_HEADERS, SESSION_COOKIE } from "#lib/visit";
import { maxBodyBytes } from "./bodies.ts";
import { isFile, isReference } from "./paths.ts";
import { refuse, refuseLargeBody, refuseMethod } from "./refusals.ts";

/** No page or operation takes ten. What Next does with names takes a time that grows with the square of their number, before any handler is asked. */
const MAX_QUERY_NAMES = 100;
/** As with names; Chrome and Firefox keep 180 for a domain (`kDomainMaxCookies`, `network.cookie.maxPerHost`). */
const MAX_COOKIES = 200;
/** A boundary may have 70 characters (RFC 2046 §5.1.1); Next looks for a long one in a time that grows with its length and the body's. */
const MAX_FORM_TYPE_LENGTH = 200;
/** A token, as in RFC 6265 §4.1.1. */
const COOKIE_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SESSION_NAMES: string[] = Object.values(SESSION_COOKIE);
const ROUTER_STATE = "next-router-state-tree";

/** Refuses, by its head alone, what no handler could do anything with; takes headers out of the rest that Next would fail on. */
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
    dropUnfitCookies(request);
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

/**
 * Cookies are a whole host's, and next-auth takes each whose name begins as the session's for a part of that: with one that another of the host's sites
 * set it would end no session, and answer with 500 where no cookie can be named like it.
 */
function dropUnfitCookies({ headers }: IncomingMessage): void {
  const pairs = headers.cookie?.split(/; */) ?? [];
  const fit = pairs.filter((pair) => isFitCookieName(pair.split("=", 1)[0] ?? ""));
  if (fit.length < pairs.length) headers.cookie = fit.join("; ");
}

function isFitCookieName(name: string): boolean {
  return COOKIE_NAME.test(name) && (SESSION_NAMES.includes(name) || !SESSION_NAMES.some((session) => name.startsWith(session)));
}

/** Where a page says it stands, in words that Next fails on, it is answered as one that says nothing. */
function dropBrokenRouterState({ headers }: IncomingMessage): void {
  try {
    parseAndValidateFlightRouterState(headers[ROUTER_STATE]);
  } catch {
    delete headers[ROUTER_STATE];
  }
}
