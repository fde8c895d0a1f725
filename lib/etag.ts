/** Whether an `If-None-Match` header names `etag`: the caller has that answer already (RFC 9110 §13.1.2, weak comparison). */
export function namesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(",") ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");
}
