// Stands for this site: only whether an address stays on it matters here.
const HERE = "http://here.invalid";

/** The address on this site that `value` names, or `fallback` for anything that leads elsewhere. For "go on there after signing in". */
export function nextPath(value: unknown, fallback = "/"): string {
  if (typeof value !== "string" || !value.startsWith("/") || !URL.canParse(value, HERE)) return fallback;
  const url = new URL(value, HERE);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // "/.//host" is on this site, but what is left of it once parsed would not be.
  return url.origin === HERE && !path.startsWith("//") ? path : fallback;
}
