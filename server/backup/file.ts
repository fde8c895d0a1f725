import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream";
import { pipeline as pipelineDone } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { syncPath } from "#lib/embedded/durable-fs";
import { freeBytes, inMegabytes, RESERVE_BYTES } from "#lib/embedded/room";
import { AppError } from "#lib/errors";
import { log } from "#lib/log";
import { PART_ROWS, type Part } from "./tables.ts";

// A backup is gzip of lines, each of them JSON: a header; for each table a line with its columns, then a line per row; at the end how many rows
// each table has, and the SHA-256 of every byte before that line. docs/decisions/0016-backup-file.md says why.

const FORMAT = 1;
const NEWLINE = 0x0a;

const headerLine = z.object({ heard: z.literal("backup"), format: z.int(), version: z.string(), migration: z.string() });
const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const rowLine = z.array(z.string().nullable());
const endLine = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string() });

/** What a backup says of itself: the version of Heard that wrote it, and the last migration that its database had. */
export type BackupHeader = { version: string; migration: string };

/**
 * Writes a backup under another name beside `path`, readable by this user alone, and gives it its own once it is complete and on disk.
 * @throws AppError FORBIDDEN if there is such a file already, it cannot be written, or it would fill the disk
 */
export async function writeBackup(path: string, header: BackupHeader, parts: AsyncIterable<Part>): Promise<void> {
  assertFree(path);
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.partial`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await pipelineDone(encode(header, heedRoom(path, parts)), createGzip(), createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    giveName(draft, path);
    syncPath(dirname(path));
  } catch (error) {
    removeDraft(draft);
    if (!isFileError(error)) throw error;
    throw cannotBeWritten(path, error.message, error);
  }
}

/** A backup must not be what fills the disk, which may be the database's, too. */
async function* heedRoom(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of parts) {
    const free = freeBytes(dirname(path));
    if (free < RESERVE_BYTES) throw cannotBeWritten(path, `less than ${inMegabytes(RESERVE_BYTES)} of the disk would stay free`);
    yield part;
  }
}

function cannotBeWritten(path: string, why: string, cause?: unknown): AppError {
  return new AppError("FORBIDDEN", `The backup cannot be written to ${path} (${why}): make room there, or choose another place.`, { cause });
}

/**
 * Reads a backup to its end, and returns what it says of itself and how many rows it holds.
 * @throws AppError NOT_FOUND if there is no such file; VALIDATION_ERROR if it is no backup, cut off, damaged, or in a form that only a newer Heard reads
 */
export async function checkBackup(path: string): Promise<BackupHeader & { rowCount: number }> {
  if (!existsSync(path)) throw new AppError("NOT_FOUND", `There is no file ${path}.`);
  let rowCount = 0;
  const lines = readLines(path);
  const header = await readHeader(path, lines);
  for await (const line of lines) if (Array.isArray(line)) rowCount += 1;
  return { ...header, rowCount };
}

/**
 * The rows of a backup, some at a time. They are known to be sound only when the last has come.
 * @throws AppError VALIDATION_ERROR as `checkBackup`
 */
export async function* readParts(path: string): AsyncGenerator<Part> {
  const lines = readLines(path);
  await readHeader(path, lines);
  let part: Part | undefined;
  for await (const line of lines) {
    const row = rowLine.safeParse(line);
    if (row.success && part) {
      part.rows.push(row.data);
      if (part.rows.length < PART_ROWS) continue;
      yield part;
      part = { ...part, rows: [] };
    } else {
      if (part) yield part;
      part = { ...parseAs(tableLine, line, path), rows: [] };
    }
  }
  if (part) yield part;
}

async function* encode({ version, migration }: BackupHeader, parts: AsyncIterable<Part>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  const write = (lines: unknown[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    hash.update(text);
    return text;
  };
  yield write([{ heard: "backup", format: FORMAT, version, migration }]);
  for await (const { table, columns, rows } of parts) {
    yield write(table in counts ? rows : [{ table, columns }, ...rows]);
    counts[table] = (counts[table] ?? 0) + rows.length;
  }
  yield `${JSON.stringify({ rows: counts, sha256: hash.digest("hex") })}\n`;
}

async function readHeader(path: string, lines: AsyncGenerator<unknown>): Promise<BackupHeader> {
  const { value } = await lines.next();
  const { format, version, migration } = parseAs(headerLine, value, path);
  if (format > FORMAT)
    throw new AppError("VALIDATION_ERROR", `The backup ${path} was made by a newer Heard (${version}): restore it with that version, or a later one.`);
  return { version, migration };
}

/** What each line says, but for the last, which says whether they are all there and as they were written. */
async function* readLines(path: string): AsyncGenerator<unknown> {
  const hash = createHash("sha256");
  let last: Buffer | undefined;
  for await (const line of bytesByLine(path)) {
    if (last) {
      hash.update(last);
      yield parseLine(last, path);
    }
    last = line;
  }
  const end = endLine.safeParse(last && parseLine(last, path));
  if (!end.success) throw damaged(path, "its end is missing");
  if (end.data.sha256 !== hash.digest("hex")) throw damaged(path, "its checksum is another");
}

/** Cut by hand: Node's readline also cuts at line separators of Unicode, which may stand within a text. */
async function* bytesByLine(path: string): AsyncGenerator<Buffer> {
  const bytes = createGunzip();
  // A failure to read reaches us through `bytes`.
  pipeline(createReadStream(path), bytes, () => {});
  let rest: Buffer[] = [];
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
        rest = [];
        start = end + 1;
      }
      rest.push(chunk.subarray(start));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") throw isFolder(path);
    throw isFileError(error) ? damaged(path, error.message, error) : error;
  }
  if (rest.some(({ length }) => length > 0)) yield Buffer.concat(rest);
}

function parseLine(line: Buffer, path: string): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    // The parser's own words would show a piece of the line.
    throw damaged(path, "a line of it cannot be read");
  }
}

function parseAs<Schema extends z.ZodType>(schema: Schema, line: unknown, path: string): z.output<Schema> {
  const parsed = schema.safeParse(line);
  if (!parsed.success) throw damaged(path, "a line of it is not one of a backup");
  return parsed.data;
}

/** What somebody tries who wants to go back a version. */
function isFolder(path: string): AppError {
  return new AppError(
    "VALIDATION_ERROR",
    `${path} is a folder, and no backup. If it is a copy that an upgrade made: stop Heard, move db in the data directory away, copy the folder to its place, and start the version before. Nothing was changed.`,
  );
}

function damaged(path: string, why: string, cause?: unknown): AppError {
  return new AppError("VALIDATION_ERROR", `The file ${path} is no whole backup of Heard (${why}): use another one. Nothing was changed.`, { cause });
}

/** Not by a rename alone, which would replace a file that has come there meanwhile. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    assertFree(path);
    // Not every file system has links.
    return renameSync(draft, path);
  }
  removeDraft(draft);
}

/** As well as can be: whatever keeps it there is not what came of the backup. */
function removeDraft(draft: string): void {
  try {
    if (existsSync(draft)) rmSync(draft, { force: true });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, "the draft of a backup could not be removed");
  }
}

/** @throws AppError FORBIDDEN if there is something of this name already */
export function assertFree(path: string): void {
  if (existsSync(path)) throw new AppError("FORBIDDEN", `There is a file ${path} already: move it away, or choose another name.`);
}

/** The file system's errors, and zlib's. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "errno" in error;
}
