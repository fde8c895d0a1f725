import { statfsSync } from "node:fs";

/** The engine writes its log ahead of everything else, in files of this size. */
export const LOG_FILE_BYTES = 16 * 1024 * 1024;

/**
 * With less than this nothing is written any more. A statement that has begun may still need the next file of the log, without which the engine dies,
 * and room for what it writes to the tables, without which it merely fails; and others take from the same disk meanwhile.
 */
export const RESERVE_BYTES = 4 * LOG_FILE_BYTES;

/** And with this much it is written again: somewhat more, so that a disk about the limit does not switch to and fro. */
export const ENOUGH_BYTES = 6 * LOG_FILE_BYTES;

/** What a disk has left that does not tell, as some that are mounted over a network: room. */
export const UNTOLD_BYTES = Number.MAX_SAFE_INTEGER;

/** How many bytes this user may still write to the disk that holds `path`; `UNTOLD_BYTES` where it does not tell. */
export function freeBytes(path: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(path);
    return blocks === 0 ? UNTOLD_BYTES : bavail * bsize;
  } catch {
    return UNTOLD_BYTES;
  }
}

/** A number of bytes as messages to operators name it. */
export function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_000_000)} MB`;
}
