import type { ZodObject } from "zod";
import { normalized } from "#lib/text";

const MAX_SLUG_LENGTH = 200;

/** The query of a page's address, as Next hands it on. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** A page's query as services read it. Of a parameter that is given twice the last counts, as in the API. */
export async function queryOf(searchParams: SearchParams): Promise<Record<string, string | undefined>> {
  const entries = Object.entries(await searchParams);
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]));
}

/** The part of `query` that `schema` can read, as it stands there: an address that somebody mistyped shows what is left of it. For schemas whose rules are each about one name. */
export function readableBy(schema: ZodObject, query: Record<string, string | undefined>): Record<string, string | undefined> {
  const { error } = schema.safeParse(query);
  const unreadable = new Set(error?.issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(schema.shape, name) && !unreadable.has(name)));
}

/** `path` with the given parameters; those without a value are left out. */
export function withQuery(path: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The number of a list's page, from 1, as an address has it: of the first it says nothing. */
export function pageParameter(page: number): string | undefined {
  return page > 1 ? String(page) : undefined;
}

/** `path`, an address on this site, with the notice that says there what was just done. */
export function withNotice(path: string, notice: string): string {
  const { pathname, searchParams, hash } = new URL(path, "http://here.invalid");
  searchParams.set("notice", notice);
  return `${pathname}?${searchParams}${hash}`;
}

/** A board's address, as the part of a page's own address says it; empty, which no board's is, where its percent-encoding is broken. */
export function boardUrlOf(slug: string): string {
  try {
    return normalized(decodeURIComponent(slug), MAX_SLUG_LENGTH);
  } catch {
    return "";
  }
}
