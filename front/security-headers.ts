/** The policy of what is no page, such as the API's answers: opened alone it may load, run and send nothing, and no page may frame it. */
const NO_PAGE_POLICY = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of a page: scripts and styles only of our own, those in the page only with this answer's nonce. */
export function contentSecurityPolicy(nonce: string): string {
  const isDev = process.argv.includes("--dev");
  return [
    "default-src 'none'",
    // Next's development mode evaluates code; a built site never does.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "manifest-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** What every answer carries, whoever makes it. Without a `policy` it is no page's. */
export function securityHeaders({ isHttps, policy = NO_PAGE_POLICY }: { isHttps: boolean; policy?: string }): [string, string][] {
  const headers: [string, string][] = [
    ["Content-Security-Policy", policy],
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    // Pictures that other sites may show say otherwise themselves (`letOtherSitesShow`).
    ["Cross-Origin-Resource-Policy", "same-origin"],
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
  return isHttps ? [...headers, ["Strict-Transport-Security", "max-age=31536000"]] : headers;
}
