import type { Plain } from "./requests.ts";

/** The directives of a Content-Security-Policy; of one that stands there twice the first, as browsers read it. */
export function directivesOf(policy: string): Record<string, string[]> {
  const parts = policy
    .split(";")
    .map((directive) => directive.trim().split(/\s+/))
    .toReversed();
  return Object.fromEntries(parts.filter(([name]) => name).map(([name = "", ...sources]) => [name.toLowerCase(), sources]));
}

/** The nonce that `answer`'s policy lets scripts run by. */
export function nonceOf(answer: Plain): string {
  return /'nonce-([^']+)'/.exec(answer.headers["content-security-policy"] ?? "")?.[1] ?? "";
}

const TOO_WIDE = /^(\*|https?:|data:|blob:|filesystem:|https?:\/\/\*|[^']*\*[^']*)$/;

/** What Google's CSP Evaluator calls a finding of high severity (its checks of parse, bypass and missing directives), and either of the two words that no policy of ours may have. */
export function highFindings(policy: string): string[] {
  const directives = directivesOf(policy);
  const scripts = directives["script-src"] ?? directives["default-src"];
  const objects = directives["object-src"] ?? directives["default-src"];
  const findings: string[] = [];
  if (!scripts) findings.push("says nothing of scripts");
  if (!objects) findings.push("says nothing of plug-ins");
  for (const word of ["'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'"]) if (scripts?.includes(word)) findings.push(`allows scripts ${word}`);
  for (const source of [...(scripts ?? []), ...(objects ?? [])]) if (TOO_WIDE.test(source)) findings.push(`allows ${source}`);
  if (scripts?.some((source) => source.startsWith("'nonce-")) && directives["base-uri"]?.join() !== "'none'")
    findings.push("lets a base element move its scripts");
  for (const source of scripts ?? []) if (/^'nonce-.{0,21}'$/.test(source)) findings.push("has a nonce of less than 128 bits");
  return findings;
}

/** What a page is free to do where its policy does not speak of it: these fall back to nothing. */
const NEEDED = ["default-src", "base-uri", "form-action"];

/** Where a page under `policy` could load from, send to or connect to beside its own site, save by a script of that site; a picture may also stand in the page itself. */
export function foreignSources(policy: string): string[] {
  const { sandbox, ...directives } = directivesOf(policy);
  // What stands in quotes names no other place.
  const isOwn = (name: string, source: string) => source.startsWith("'") || (name === "img-src" && source === "data:");
  const foreign = Object.entries(directives).flatMap(([name, sources]) =>
    sources.filter((source) => !isOwn(name, source)).map((source) => `${name} ${source}`),
  );
  // Without scripts and forms there is nothing that an address in the page could lead elsewhere.
  const isInert = sandbox !== undefined && !sandbox.includes("allow-scripts") && !sandbox.includes("allow-forms");
  const missing = (isInert ? ["default-src"] : NEEDED).filter((name) => !directives[name]);
  return [...foreign, ...missing.map((name) => `no ${name}`)];
}

const SIX_MONTHS_S = 15_768_000;
const PRIVATE_REFERRERS = ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"];

/**
 * What the MDN HTTP Observatory gives a site whose first page is `answer`, over https, by the modifiers it publishes (src/grader/charts.js
 * of mdn/mdn-http-observatory). That http leads to https is the proxy's part, and counts for nothing here, as it does there.
 */
export function observatoryScore({ headers, cookies, text }: Plain): { score: number; modifiers: Record<string, number> } {
  const hsts = Number(/max-age=(\d+)/.exec(headers["strict-transport-security"] ?? "")?.[1] ?? 0);
  const isReadByAll = headers["access-control-allow-origin"] !== undefined && headers["access-control-allow-credentials"] === "true";
  const modifiers = {
    csp: policyModifier(headers["content-security-policy"]),
    cookies: cookiesModifier(cookies),
    cors: isReadByAll ? -50 : 0,
    referrer: headers["referrer-policy"] === undefined ? 0 : PRIVATE_REFERRERS.includes(headers["referrer-policy"]) ? 5 : -5,
    hsts: hsts >= SIX_MONTHS_S ? 0 : hsts > 0 ? -10 : -20,
    scripts: /<script[^>]+src="(https?:)?\/\//.test(text) ? -5 : 0,
    sniffing: headers["x-content-type-options"] === "nosniff" ? 0 : -5,
    framing: directivesOf(headers["content-security-policy"] ?? "")["frame-ancestors"] ? 5 : -20,
    embedding: resourceModifier(headers["cross-origin-resource-policy"]),
  };
  const sum = (wanted: (modifier: number) => boolean) =>
    Object.values(modifiers)
      .filter(wanted)
      .reduce((total, modifier) => total + modifier, 0);
  const withoutBonuses = 100 + sum((modifier) => modifier < 0);
  return { score: withoutBonuses >= 90 ? withoutBonuses + sum((modifier) => modifier > 0) : withoutBonuses, modifiers };
}

function policyModifier(policy: string | undefined): number {
  if (!policy) return -25;
  if (highFindings(policy).length > 0) return -20;
  const { "default-src": fallback, "style-src": styles = fallback, "form-action": forms } = directivesOf(policy);
  if (styles?.includes("'unsafe-inline'")) return 0;
  return fallback?.join() === "'none'" && ["'none'", "'self'"].includes(forms?.join() ?? "") ? 10 : 5;
}

function cookiesModifier(cookies: string[]): number {
  if (cookies.length === 0) return 0;
  if (!cookies.every((cookie) => /;\s*secure/i.test(cookie))) return -20;
  if (!cookies.every((cookie) => /;\s*httponly/i.test(cookie))) return -30;
  return cookies.every((cookie) => /;\s*samesite=(lax|strict)/i.test(cookie)) ? 5 : 0;
}

function resourceModifier(policy: string | undefined): number {
  if (policy === undefined || policy === "cross-origin") return 0;
  return ["same-origin", "same-site"].includes(policy) ? 10 : -5;
}
