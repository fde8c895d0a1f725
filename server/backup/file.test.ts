import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { RESERVE_BYTES } from "#lib/embedded/room";
import { checkBackup, readParts, writeBackup } from "./file.ts";
import { PART_ROWS, type Part, type Row } from "./tables.ts";

const room = vi.hoisted(() => ({ free: Number.MAX_SAFE_INTEGER }));
vi.mock("#lib/embedded/room", async (original) => ({ ...(await original<typeof import("#lib/embedded/room")>()), freeBytes: () => room.free }));

const HEADER = { version: "1.2.3", migration: "20260101000000_init" };

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "heard-files-"));
});
beforeEach(() => {
  path = newFile();
});
afterAll(() => rmSync(directory, { recursive: true }));

function newFile(): string {
  return join(directory, `${crypto.randomUUID()}.jsonl.gz`);
}

async function* partsOf(parts: Part[]): AsyncGenerator<Part> {
  yield* parts;
}

async function write(...rows: Row[]): Promise<string[]> {
  await writeBackup(
    path,
    HEADER,
    partsOf([
      { table: "Empty", columns: ["id"], rows: [] },
      { table: "Note", columns: ["id", "text"], rows },
    ]),
  );
  return gunzipSync(readFileSync(path)).toString("utf8").split("\n").slice(0, -1);
}

async function readAll(): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const part of readParts(path)) rows.push(...part.rows);
  return rows;
}

test("it begins with what wrote it, names each table and its columns, and ends with counts and a checksum", async () => {
  const lines = await write(["1", "a"], ["2", null]);

  expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual([
    { heard: "backup", format: 1, ...HEADER },
    { table: "Empty", columns: ["id"] },
    { table: "Note", columns: ["id", "text"] },
    ["1", "a"],
    ["2", null],
  ]);
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ rows: { Empty: 0, Note: 2 }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await checkBackup(path)).toEqual({ ...HEADER, rowCount: 2 });
});

test("texts come back as they were, whatever is in them and however long they are", async () => {
  const rows: Row[] = ['"', "\\", "\n\r\t\u2028\u2029\u0085", "\u0001", "👩‍👩‍👧", "e\u0301", "", "x".repeat(3_000_000)].map((text) => [text, null]);
  await write(...rows);

  expect(await readAll()).toEqual(rows);
});

test("rows come back some at a time, each with its table", async () => {
  const rows = Array.from({ length: 2 * PART_ROWS + 1 }, (_, index): Row => [String(index), null]);
  await write(...rows);

  const sizes: [string, number][] = [];
  for await (const part of readParts(path)) sizes.push([part.table, part.rows.length]);

  expect(sizes).toEqual([
    ["Empty", 0],
    ["Note", PART_ROWS],
    ["Note", PART_ROWS],
    ["Note", 1],
  ]);
});

test("one that is cut off, at whatever place, is refused", async () => {
  const lines = await write(["1", "a"], ["2", "b"]);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length));
    await expect(checkBackup(path), `${length} of ${whole.length} bytes`).rejects.toThrow(
      /is no whole backup of Heard \(.+\): use another one\. Nothing was changed\.$/,
    );
  }
  for (const count of lines.keys()) {
    writeFileSync(path, gzipSync(`${lines.slice(0, count).join("\n")}\n`));
    await expect(checkBackup(path)).rejects.toThrow("is no whole backup of Heard");
  }
});

test("one of which a byte was changed, a row left out, put in or added is refused", async () => {
  const lines = await write(["1", "Zoë"], ["2", "b"]);
  const changes = [
    lines.map((line) => line.replace("Zoë", "Zoé")),
    lines.filter((_, index) => index !== 3),
    lines.flatMap((line, index) => (index === 3 ? [line, line] : [line])),
    [...lines, '["3","c"]'],
    [...lines, lines.at(-1)],
    lines.map((line) => line.replace("Zoë", 'Zo"')),
  ];
  for (const change of changes) {
    writeFileSync(path, gzipSync(`${change.join("\n")}\n`));
    await expect(checkBackup(path)).rejects.toThrow(/its checksum is another|its end is missing|cannot be read/);
  }
});

test("what is no backup, is not there or is newer is refused", async () => {
  const check = async (content: string | Buffer) => {
    writeFileSync(path, content);
    return checkBackup(path).then(
      () => "nothing",
      (error: Error) => error.message,
    );
  };
  expect(await check("hello")).toContain("is no whole backup of Heard (incorrect header check)");
  expect(await check(gzipSync("hello\n"))).toContain("is no whole backup of Heard");
  expect(await check(gzipSync('{"heard":"something else"}\n{}\n'))).toContain("a line of it is not one of a backup");
  expect(await check(gzipSync('{"heard":"backup","format":2,"version":"9.0.0","migration":"x"}\n{}\n'))).toContain("was made by a newer Heard (9.0.0)");
  await expect(checkBackup(directory)).rejects.toThrow(/is a folder, and no backup\. If it is a copy that an upgrade made/);
  await expect(checkBackup(`${path}.gone`)).rejects.toThrow(`There is no file ${path}.gone.`);
});

test("a damaged line shows nothing of what is in it", async () => {
  writeFileSync(path, gzipSync('{"heard":"backup","format":1,"version":"1","migration":"x"}\n["secret\n{}\n'));

  const error = await checkBackup(path).catch((caught: unknown) => caught);

  expect(String(error)).not.toContain("secret");
});

test("one that would fill the disk ends with how much is left, and leaves nothing behind", async () => {
  const before = readdirSync(directory);
  const filling = async function* (): AsyncGenerator<Part> {
    yield { table: "Note", columns: ["id"], rows: [["1"]] };
    room.free = RESERVE_BYTES - 1;
    yield { table: "Note", columns: ["id"], rows: [["2"]] };
  };

  const writing = writeBackup(path, HEADER, filling()).finally(() => (room.free = Number.MAX_SAFE_INTEGER));

  await expect(writing).rejects.toThrow(/cannot be written to .+ \(less than 67 MB of the disk would stay free\): make room there/);
  expect(readdirSync(directory)).toEqual(before);
});

test("of two backups that are written to one file at the same moment one is kept whole, and the other says so", async () => {
  const texts = ["one", "other"];
  const outcomes = await Promise.allSettled(texts.map((text) => writeBackup(path, HEADER, partsOf([{ table: "Note", columns: ["text"], rows: [[text]] }]))));

  const kept = texts.filter((_, index) => outcomes[index]?.status === "fulfilled");
  expect(kept).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: expect.stringContaining(`There is a file ${path} already`) },
  });
  expect(gunzipSync(readFileSync(path)).toString("utf8")).toContain(`"${kept[0]}"`);
  expect(readdirSync(directory).filter((name) => name.endsWith(".partial"))).toEqual([]);
});
