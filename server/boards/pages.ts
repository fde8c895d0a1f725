import { z } from "zod";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** A page's number in a query. */
export const pageNumber = z
  .string("must be a whole number from 1")
  .regex(/^0*[1-9]\d*$/, "must be a whole number from 1")
  .transform(Number);

/** How many to show on a page; over 100 means 100. */
export function pageLimit(byDefault: number) {
  return pageNumber.transform((value) => Math.min(value, MAX_LIMIT)).default(byDefault);
}

/** Newest or oldest first, in any case. */
export const direction = z
  .string("must be asc or desc")
  .transform((value) => value.toLowerCase())
  .pipe(z.enum(["asc", "desc"], "must be asc or desc"));

/** Where a page of boards begins: behind the board of this creation time and id. */
export type BoardCursor = { createdAt: Date; boardId: string };

const cursor = z.string().transform((value, context): BoardCursor => {
  const [, time, boardId = ""] = /^(\d{1,13})\.([0-9a-f-]{36})$/.exec(Buffer.from(value, "base64url").toString()) ?? [];
  const position = { createdAt: new Date(Number(time)), boardId };
  // Decoding is lenient: only what comes out the same again is a value that we gave.
  if (time && isUuid(boardId) && cursorOf(position) === value) return position;
  context.addIssue({ code: "custom", message: "must be the value that the Link header gave" });
  return z.NEVER;
});

/** The query of `GET /boards`. */
export const boardsQuery = z.object({
  created: direction.default("desc").meta({ description: "Sort direction of the creation date: asc or desc, in any case." }),
  limit: pageLimit(DEFAULT_LIMIT).meta({ type: "string", description: `Page size; over ${MAX_LIMIT} means ${MAX_LIMIT}.` }),
  page: pageNumber.optional().meta({ type: "string", description: "Page number from 1. Not together with after." }),
  after: cursor.optional().meta({ type: "string", description: "Opaque position from the Link header; as fast at any depth as at the first page." }),
});

export type BoardsQuery = z.infer<typeof boardsQuery>;

/**
 * Reads the query of a list of boards.
 * @throws ZodError for a value that is not allowed
 * @throws AppError VALIDATION_ERROR for `page` together with `after`
 */
export function parseBoardsQuery(query: unknown): BoardsQuery {
  const parsed = boardsQuery.parse(query);
  if (parsed.page !== undefined && parsed.after) throw new AppError("VALIDATION_ERROR", "Give page or after, not both.", { field: "after" });
  return parsed;
}

/** The opaque value of `after` for what comes behind `position`. */
export function cursorOf(position: BoardCursor): string {
  return Buffer.from(`${position.createdAt.getTime()}.${position.boardId}`).toString("base64url");
}

/** The `Link` header (RFC 8288) of one page. The next page is named twice: by its number and, titled "after", by the cursor. */
export function linkHeader(address: string, query: BoardsQuery, { total, next }: { total: number; next: BoardCursor | null }): string {
  const last = Math.max(1, Math.ceil(total / query.limit));
  const page = query.after ? null : (query.page ?? 1);
  // Nothing in it needs escaping: words, numbers and base64url.
  const link = (parameter: string, attributes: string) => `<${address}?created=${query.created}&limit=${query.limit}&${parameter}>; ${attributes}`;
  const links = [link("page=1", 'rel="first"')];
  if (page !== null && page > 1) links.push(link(`page=${Math.min(page - 1, last)}`, 'rel="prev"'));
  if (page !== null && next) links.push(link(`page=${page + 1}`, 'rel="next"'));
  if (next) links.push(link(`after=${cursorOf(next)}`, 'rel="next"; title="after"'));
  links.push(link(`page=${last}`, 'rel="last"'));
  return links.join(", ");
}
