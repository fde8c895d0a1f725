import { env } from "./env.ts";
import { FRONT_HEADERS, httpOrigin, type Visit } from "./visit.ts";

/** Methods that change nothing (RFC 9110 §9.2.1). */
export const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * Why a write that carries a session cookie, or is to be answered with one, is refused, or null. `Sec-Fetch-Site` is what a browser itself says of the
 * calling page; browsers too old for it send `Origin` with every write.
 */
export function crossSiteProblem(request: Request, visit: Visit): string | null {
  if (SAFE_METHODS.includes(request.method)) return null;
  const origin = request.headers.get("origin");
  if (origin !== null && env().ALLOWED_ORIGINS.includes(origin)) return null;
  const site = request.headers.get("sec-fetch-site");
  const isSameSite = site === null ? origin === null || [visit.ownOrigin, env().SITE_URL].includes(origin) : site === "same-origin" || site === "none";
  return isSameSite ? null : "Writes with a session cookie, and signing in for one, are only taken from the site's own pages.";
}

/** Who may read an answer in a browser: anyone an answer made for nobody in particular, the trusted origins any. */
export function corsHeaders(request: Request, allow: string): [string, string][] {
  const origin = httpOrigin(request.headers.get("origin"));
  const isTrusted = origin !== null && env().ALLOWED_ORIGINS.includes(origin);
  if (!isTrusted && !isPublicRead(request)) return [];
  const headers: [string, string][] = [
    ["Access-Control-Allow-Origin", isTrusted ? origin : "*"],
    ["Access-Control-Expose-Headers", "ETag, Link, Retry-After, X-Request-Id, X-Total-Count"],
  ];
  if (isTrusted) headers.push(["Access-Control-Allow-Credentials", "true"]);
  if (request.method === "OPTIONS") {
    headers.push(["Access-Control-Allow-Methods", isTrusted ? allow : "GET, HEAD"]);
    headers.push(["Access-Control-Allow-Headers", isTrusted ? "Authorization, Content-Type, If-None-Match" : "Content-Type, If-None-Match"]);
    headers.push(["Access-Control-Max-Age", "600"]);
  }
  return headers;
}

function isPublicRead(request: Request): boolean {
  const method = request.headers.get("access-control-request-method") ?? request.headers.get(FRONT_HEADERS.method) ?? request.method;
  return SAFE_METHODS.includes(method) && !request.headers.has("cookie") && !request.headers.has("authorization");
}
