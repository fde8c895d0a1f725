import type { IncomingMessage } from "node:http";
import { FRONT_HEADERS } from "#lib/visit";

/** The policy of a page: scripts and styles only of our own, those in the page only with this answer's nonce. */
export function contentSecurityPolicy(nonce: string): string {
  const isDev = process.argv.includes("--dev");
  return [
    "default-src 'self'",
    // Next's development mode evaluates code; a built site never does.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** What every answer carries. */
export function securityHeaders(request: IncomingMessage): [string, string][] {
  const isHttps = String(request.headers[FRONT_HEADERS.origin]).startsWith("https:");
  const headers: [string, string][] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
  return isHttps ? [...headers, ["Strict-Transport-Security", "max-age=31536000"]] : headers;
}
