import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { listMigrations } from "#lib/migrate/history";
import { createDatabase, databaseIn, dropDatabase } from "./postgres.ts";

const CACHE = "node_modules/.cache/heard";

declare module "vitest" {
  export interface ProvidedContext {
    /** What each test file's database is a copy of: a directory, or a database on TEST_DATABASE_URL's server. */
    databaseTemplate: string;
  }
}

/** Vitest's global set-up: a migrated, empty database, made once per run, or kept between runs where it is a directory. */
export default async function setup({ provide }: { provide(name: "databaseTemplate", template: string): void }) {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    provide("databaseTemplate", await embeddedTemplate());
    return;
  }
  const url = await createDatabase(server);
  await migrateTo({ DATABASE_URL: url, DATA_DIR: "" });
  provide("databaseTemplate", databaseIn(url));
  return () =>
    dropDatabase(url).catch((error: Error) => {
      process.stderr.write(`The tests' database "${databaseIn(url)}" is left behind: ${error.message}\n`);
    });
}

async function embeddedTemplate(): Promise<string> {
  const target = join(CACHE, `template-${await fingerprint()}`);
  if (existsSync(target)) return target;
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE)) if (name.startsWith("template-")) await rm(join(CACHE, name), { recursive: true });
  const draft = await mkdtemp(join(CACHE, "draft-"));
  await migrateTo({ DATABASE_URL: "", DATA_DIR: draft });
  await rename(join(draft, "db"), target).catch((error: NodeJS.ErrnoException) => {
    // Another run has made the same meanwhile.
    if (error.code !== "ENOTEMPTY") throw error;
  });
  await rm(draft, { recursive: true });
  return target;
}

/** Changes whenever another template would come out: with a migration, the engine, or the job queues. */
async function fingerprint(): Promise<string> {
  const engine = await readFile("node_modules/@electric-sql/pglite/package.json", "utf8");
  const jobs = await Promise.all(["node_modules/pg-boss/package.json", "lib/jobs.ts"].map((path) => readFile(path, "utf8")));
  const checksums = (await listMigrations()).map(({ checksum }) => checksum);
  return createHash("sha256")
    .update([engine, ...jobs, ...checksums].join())
    .digest("hex")
    .slice(0, 16);
}

/** In a process of its own, because a process reads its settings once. */
async function migrateTo(settings: { DATABASE_URL: string; DATA_DIR: string }): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/db-migrate.ts"], { env: { ...process.env, ...settings } });
}
