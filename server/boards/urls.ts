import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Viewer } from "#lib/auth";
import { db, type Tx } from "#lib/db";
import { codePointLength, normalized } from "#lib/text";
import { authorize } from "../permissions.ts";

export const MAX_BOARD_URL = 80;
/** Letters (with their marks) and digits of any script, in words joined by single hyphens. */
const URL_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
// What makes a sign or a digit an emoji: invisible in an address, and a different address.
const EMOJI_MARKS = /[\p{Variation_Selector}\p{Me}]/gu;
const NUMBERED_TRIES = 20;
/** What `withRandomNumber` puts behind a suggested address at most: a hyphen and seven digits. */
const NUMBER_LENGTH = 8;
/** Names are shorter; what is typed before it is checked may be longer. */
const MAX_NAME_LENGTH = 200;

/** A board's address below /boards, as somebody chose it. */
export const boardUrl = z
  .string("must be text")
  .transform((value) => normalized(value, MAX_BOARD_URL))
  .superRefine((value, context) => {
    const isUrl = URL_PATTERN.test(value) && value === value.toLowerCase() && codePointLength(value) <= MAX_BOARD_URL;
    const message = `must be 1 to ${MAX_BOARD_URL} lower-case letters, digits and single hyphens`;
    if (!isUrl) context.addIssue({ code: "custom", message, params: { problem: "boardUrl", max: MAX_BOARD_URL } });
  })
  .meta({ type: "string", minLength: 1, maxLength: MAX_BOARD_URL });

/** The query of `checkUrl`: what was typed as an address and as a name, and the board that is being changed. */
const urlCheck = z.object({ url: z.string().default(""), name: z.string().default(""), boardId: z.uuid().optional().catch(undefined) });

/** Where a board is, as a path; `suffix` leads to what goes with it. */
export function boardPath({ url }: { url: string }, suffix = ""): string {
  return `/boards/${encodeURIComponent(url)}${suffix}`;
}

/** The address that `name` suggests; empty where it holds no letter and no digit, as with an emoji alone. */
export function urlFromName(name: string): string {
  const words = normalized(name.toLowerCase().replace(EMOJI_MARKS, ""), MAX_NAME_LENGTH).match(WORD) ?? [];
  return [...words.join("-")]
    .slice(0, MAX_BOARD_URL - NUMBER_LENGTH)
    .join("")
    .replace(/-$/, "");
}

/** What somebody typed as an address, written as one; empty where nothing of it can stand in an address. */
export function urlFromTyped(typed: string): string {
  const url = boardUrl.safeParse(typed.trim());
  return url.success ? url.data : urlFromName(typed);
}

/** An address for `name` that no board has or had: as it is, else with a number behind it. To be called while no other board can be made. */
export async function freeUrl(tx: Tx, name: string): Promise<string> {
  const suggested = urlFromName(name);
  const numbered = Array.from({ length: NUMBERED_TRIES }, (_, index) => `${suggested}-${index + 2}`);
  const candidates = suggested ? [suggested, ...numbered, withRandomNumber(suggested)] : [withRandomNumber("board"), withRandomNumber("board")];
  const taken = await tx.boardUrl.findMany({ where: { url: { in: candidates } }, select: { url: true } });
  const free = candidates.find((candidate) => !taken.some(({ url }) => url === candidate));
  return free ?? freeUrl(tx, name);
}

/**
 * What a typed address, or else a typed name, becomes as an address, and whether a board could have it now. An address that the
 * board itself has or had is free to it. `normalized` is empty where nothing can be told yet.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `board:update`
 */
export async function checkUrl(viewer: Viewer, query: unknown): Promise<{ normalized: string; free: boolean }> {
  authorize(viewer, "board:update");
  const { url, name, boardId } = urlCheck.parse(query);
  // A board that is there gets no other by leaving the field empty: saving that is refused.
  if (url.trim() === "") return { normalized: boardId ? "" : urlFromName(name) && (await freeUrl(db, name)), free: true };
  const normalized = urlFromTyped(url);
  const owner = await db.boardUrl.findUnique({ where: { url: normalized }, select: { boardId: true } });
  return { normalized, free: owner === null || owner.boardId === boardId?.toLowerCase() };
}

function withRandomNumber(words: string): string {
  return `${words}-${randomInt(100_000, 10_000_000)}`;
}
