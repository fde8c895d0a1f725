import type { IncomingMessage } from "node:http";
import { FRONT_HEADERS } from "#lib/visit";

/** What Next's own pages send when somebody moves between them. */
export const BETWEEN_PAGES = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url", "next-action"];

/** The one page among the API's addresses: what people read of it, and choose a look and a language on. */
const REFERENCE = /^\/+api\/v1\/docs\/?(\?|$)/;
/** What Next shows in place of other pages, and would show to whoever asks for it. */
const INNER_PAGE = /^\/+_global-error\b/;
const HANDED_ON_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Whether `url` is of the API, whose answers are JSON; what stands below it and is no operation, too. */
export function isApiAddress(url: string): boolean {
  return /^\/+api(\/|\?|$)/.test(url) && !isReference(url);
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

/** What a request line names without the host that may stand before it (RFC 9112 §3.2.2): Next would go and fetch that for the caller. `*` is the server as a whole. */
export function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  if (target === "*") return "/";
  const [address, path = "/"] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(\/.*)?$/i.exec(target) ?? [];
  return address ? path : "/api/-";
}

/** Next answers a bad percent-encoding, repeated or trailing slashes and rare methods in its own ways: here they become addresses and methods that our routes answer. */
export function tidyUrl(request: IncomingMessage, isApi: boolean): void {
  const [path = "/", query] = splitOnce(request.url ?? "/", "?");
  const tidy = tidyPath(path, isApi);
  request.url = query === undefined ? tidy : `${tidy}?${query}`;
  if (HANDED_ON_METHODS.includes(request.method ?? "GET")) return;
  request.headers[FRONT_HEADERS.method] = request.method;
  request.method = "OPTIONS";
}

function tidyPath(path: string, isApi: boolean): string {
  if (!isDecodable(path) || INNER_PAGE.test(decodeURIComponent(path))) return isApi ? "/api/-" : "/-";
  const single = path.replace(/\/{2,}/g, "/");
  return isApi ? single.replace(/(.)\/$/, "$1") : single;
}

function isDecodable(path: string): boolean {
  try {
    // A browser takes a backslash for a slash, so that Next's redirect to a tidier address could lead to another host.
    return !/[\0\\]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
