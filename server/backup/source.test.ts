import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveControl } from "#lib/control";
import { databaseKind, db, openDriver } from "#lib/db";
import { env } from "#lib/env";
import { useDatabase } from "#lib/testing/database";
import { startProgram } from "#lib/testing/processes";
import { backUp } from "../backup.ts";
import { aSite } from "../testing/people.ts";
import { readParts, writeBackup } from "./file.ts";
import { readSite, takeSnapshot, withSource } from "./source.ts";
import type { Part } from "./tables.ts";

useDatabase();

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "heard-source-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function newFile(): string {
  return join(directory, `${crypto.randomUUID()}.jsonl.gz`);
}

/** Writes a picture and a letter of one id in one transaction, again and again, until it is told to stop. A backup reads one table first and the other last. */
function startPairs(): { stop(): Promise<number> } {
  let isOver = false;
  let pairs = 0;
  const writing = (async () => {
    for (; !isOver; pairs += 1) {
      // The embedded database answers within the same turn, and would let nothing else happen.
      await turn();
      const id = crypto.randomUUID();
      await db.$transaction([
        db.image.create({ data: { imageId: id, bytes: new Uint8Array(8), type: "image/webp", width: 1, height: 1 } }),
        db.mail.create({ data: { mailId: id, to: "ada@example.org", letter: "none", props: {} } }),
      ]);
    }
  })();
  const stop = async () => {
    isOver = true;
    await writing;
    return pairs;
  };
  return { stop };
}

/** The first column of every row, by table. */
async function idsIn(parts: AsyncIterable<Part>): Promise<{ Image: string[]; Mail: string[]; Secret: string[] }> {
  const ids: Record<string, string[]> = {};
  for await (const { table, rows } of parts) ids[table] = [...(ids[table] ?? []), ...rows.map(([id]) => id ?? "")];
  return { Image: ids.Image ?? [], Mail: ids.Mail ?? [], Secret: ids.Secret ?? [] };
}

async function aLargeSite(): Promise<void> {
  await aSite();
  const filler = Array.from({ length: 3000 }, (_, index) => ({ name: `m-${index}`, value: "x".repeat(150) }));
  await db.secret.createMany({ data: filler });
}

test("a backup is one moment of a site that goes on being written to", async () => {
  await aLargeSite();
  const writers = startPairs();
  const path = newFile();

  await backUp(path, () => {});

  const pairs = await writers.stop();
  const { Image, Mail, Secret } = await idsIn(readParts(path));
  expect(Image).toEqual(Mail);
  expect(Secret).toHaveLength(3000);
  // The backup came while pairs were still written, not after the last.
  expect(pairs).toBeGreaterThan(Image.length);
});

describe.runIf(databaseKind() === "embedded")("an embedded site that another process has", () => {
  let server: Server;
  beforeAll(async () => {
    server = await serveControl(env().DATA_DIR, { snapshot: takeSnapshot });
  });
  afterAll(() => void server.close());

  function snapshots(): string[] {
    return readdirSync(env().DATA_DIR).filter((name) => name.startsWith("snapshot-"));
  }

  test("is read from a copy, which is one moment of it and is removed, and nobody waits meanwhile", async () => {
    await aLargeSite();
    const writers = startPairs();

    const { Image, Mail, Secret } = await withSource((driver) =>
      readSite(
        driver,
        () => {},
        async (_, parts) => {
          expect(snapshots()).toHaveLength(1);
          const found = await idsIn(parts);
          // The copy is locked by its reader; the site itself answers.
          await db.secret.create({ data: { name: "written meanwhile", value: "x" } });
          return found;
        },
      ),
    );

    await writers.stop();
    expect(Image).toEqual(Mail);
    expect(Secret).toHaveLength(3000);
    expect(snapshots()).toEqual([]);
  });

  test("gives a backup as a stopped one does", async () => {
    await aLargeSite();
    const [stopped, running] = [newFile(), newFile()];
    await readSite(
      await openDriver(),
      () => {},
      (header, parts) => writeBackup(stopped, header, parts),
    );

    await backUp(running, () => {});

    expect(readFileSync(running).equals(readFileSync(stopped))).toBe(true);
  });

  test("loses the copies that killed readers left, and keeps one that is being read, or is about to be", async () => {
    await aSite();
    const root = env().DATA_DIR;
    for (const name of ["snapshot-left", "snapshot-read"]) mkdirSync(join(root, name));
    // Another process, for to this one a second lock would be granted.
    const reader = startProgram("hold-lock", {}, { args: [join(root, "snapshot-read")] });
    onTestFinished(() => reader.kill());
    await reader.says("locked");

    const name = await takeSnapshot();

    expect(snapshots().toSorted()).toEqual([name, "snapshot-read"].toSorted());
    await reader.kill();
    const next = await takeSnapshot();
    expect(snapshots().toSorted()).toEqual([name, next].toSorted());
    for (const made of snapshots()) rmSync(join(root, made), { recursive: true });
  });
});
