import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import pg from "pg";
import type { Database } from "./sites.ts";

/** What a run's figures are true of: `cores` are those that it may use, `databases` their versions, `commit` ends with `-dirty` where files were changed since, and is null outside a repository. */
export type Machine = { cores: number; processor: string; memoryMb: number; node: string; databases: Partial<Record<Database, string>>; commit: string | null };

/** The machine that this runs on, with the databases that are measured. */
export async function machineWith(databases: Database[]): Promise<Machine> {
  const versions = await Promise.all(databases.map(async (database) => [database, await versionOf(database)]));
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryMb: Math.round(totalmem() / 1_000_000),
    node: process.version,
    databases: Object.fromEntries(versions),
    commit: commitHere(),
  };
}

/** In a line. */
export function machineLine({ cores, processor, memoryMb, node, databases, commit }: Machine): string {
  return `${cores} cores (${processor}), ${memoryMb} MB, Node ${node}, ${Object.values(databases).join(", ")}, commit ${commit ?? "unknown"}`;
}

async function versionOf(database: Database): Promise<string> {
  if (database === "embedded") return `PGlite ${JSON.parse(readFileSync("package.json", "utf8")).dependencies["@electric-sql/pglite"]}`;
  const client = new pg.Client(process.env.TEST_DATABASE_URL);
  await client.connect();
  const { rows } = await client.query("SHOW server_version");
  await client.end();
  return `PostgreSQL ${rows[0].server_version}`;
}

function commitHere(): string | null {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
