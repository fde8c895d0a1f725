import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, onTestFinished } from "vitest";
import { createDatabase, dropDatabase } from "#lib/testing/postgres";
import { scale } from "#lib/testing/scale";
import type { TestServer } from "../server.ts";
import { startSite } from "../site.ts";
import { type Ended, runToEnd } from "./run.ts";

/** Where a site's data are, or are to be. */
export type Place = Pick<TestServer, "dataDir" | "databaseUrl">;

/** How many posts the sites have that are backed up. */
export const POSTS = scale(1_000, 100_000);

const admin = process.env.TEST_DATABASE_URL;
/** The database of this run. */
export const database = admin ? "postgresql" : "embedded";

/** Removed with all in it when the test file ends. */
export const directory = mkdtempSync(join(tmpdir(), "heard-backup-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** A path at which there is no file. */
export function newFile(): string {
  return join(directory, `${crypto.randomUUID()}.jsonl.gz`);
}

/** Runs one of Heard's commands on a site, which may be running. */
export function run(command: string, { dataDir, databaseUrl }: Place, ...args: string[]): Promise<Ended> {
  return runToEnd(`scripts/${command}.ts`, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, args);
}

/** A place of this run's database, with nothing in it. */
export async function anEmptyPlace(kind: typeof database = database): Promise<Place> {
  const dataDir = mkdtempSync(join(directory, "place-"));
  if (kind === "embedded" || !admin) return { dataDir, databaseUrl: "" };
  const databaseUrl = await createDatabase(admin);
  onTestFinished(() => dropDatabase(databaseUrl));
  return { dataDir, databaseUrl };
}

/** A site with content, whose server has stopped. */
export async function aStoppedSite(kind: typeof database = database): Promise<TestServer> {
  const site = await startSite({ database: kind, template: kind === database ? inject("databaseTemplate") : undefined });
  onTestFinished(site.remove);
  await site.stop();
  expect(await run("demo", site, "--people=20", `--posts=${POSTS}`)).toMatchObject({ code: 0 });
  return site;
}
