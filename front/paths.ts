import type { IncomingMessage } from "node:http";
import { FRONT_HEADERS } from "#lib/visit";

/** What Next's own pages send when somebody moves between them. */
export const BETWEEN_PAGES = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url", "next-action"];

/** The one page among the API's addresses: what people read of it, and choose a look and a language on. */
const REFERENCE = /^\/api\/v1\/docs\/?(\?|$)/;
/** What Next shows in place of other pages, and would show to whoever asks for it. In a decoded path, where slashes may still repeat. */
const INNER_PAGE = /^\/+_global-error\b/;
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i;
/** What Next calls the part of a page that it loads between pages; it answers it with 200 where there is no page. */
const PART_OF_PAGE = /\.rsc\/*$/;
/** What the build made, and `public`. */
const FILE = /^\/(_next\/static\/|(favicon\.ico|icon\.svg)\/?$)/;
const HANDED_ON_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Whether `url` is of a file that is given out as it lies on disk. */
export function isFile(url = "/"): boolean {
  const [path] = splitOnce(url, "?");
  return isDecodable(path) && FILE.test(decodeURIComponent(path));
}

/** Whether `url` is of the API, whose answers are JSON; what stands below it and is no operation, too. */
export function isApiAddress(url: string): boolean {
  return /^\/api(\/|\?|$)/.test(url) && !isReference(url);
}

/** Whether `url` is that of the API reference. */
export function isReference(url: string): boolean {
  return REFERENCE.test(url);
}

/** `text` up to the first `separator`, and what follows it. */
export function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * The address that a request line names, which everything here judges by: without the host that may stand before it
 * (RFC 9112 §3.2.2), which Next would go and fetch for the caller, without a fragment, repeated slashes and dots. `*` is the server as a whole.
 */
export function addressIn(target: string): string {
  const [whole] = splitOnce(target, "#");
  if (whole === "*") return "/";
  const [address, afterHost = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?]*)?([/?].*)?$/i.exec(whole) ?? [];
  if (!address) return "/api/-";
  const [path, query] = splitOnce(afterHost, "?");
  const tidy = withoutDots(path.replace(/^\/*|\/{2,}/g, "/"));
  return query === undefined ? tidy : `${tidy}?${query}`;
}

/** Resolves dots as browsers do before they ask (RFC 3986 §5.2.4). Next would after all checks, and so be led to another address than was checked. */
function withoutDots(path: string): string {
  return DOT_SEGMENT.test(path) ? new URL(`http://localhost${path}`).pathname.replace(/\/{2,}/g, "/") : path;
}

/** Next answers a bad percent-encoding, trailing slashes and rare methods in its own ways: here they become addresses and methods that our routes answer. */
export function tidyUrl(request: IncomingMessage, isApi: boolean): void {
  const [path = "/", query] = splitOnce(request.url ?? "/", "?");
  const tidy = tidyPath(path, isApi);
  request.url = query === undefined ? tidy : `${tidy}?${query}`;
  if (HANDED_ON_METHODS.includes(request.method ?? "GET")) return;
  request.headers[FRONT_HEADERS.method] = request.method;
  request.method = "OPTIONS";
}

function tidyPath(path: string, isApi: boolean): string {
  if (!isDecodable(path) || [INNER_PAGE, PART_OF_PAGE].some((pattern) => pattern.test(decodeURIComponent(path)))) return isApi ? "/api/-" : "/-";
  return isApi ? path.replace(/(.)\/$/, "$1") : path;
}

function isDecodable(path: string): boolean {
  try {
    // A browser takes a backslash for a slash, so that Next's redirect to a tidier address could lead to another host.
    return !/[\0\\]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
