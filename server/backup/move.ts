import { createHash, type Hash } from "node:crypto";
import { resolve } from "node:path";
import { type Driver, databaseKind, openDriver, openDriverOf } from "#lib/db";
import { hasEmbedded, refuseClosed } from "#lib/embedded";
import { env, parseEnv } from "#lib/env";
import { AppError } from "#lib/errors";
import { migrate } from "#lib/migrate";
import { checkServer } from "#lib/postgres";
import { isStartupError } from "#lib/startup-error";
import { fillDatabase } from "./load.ts";
import { type OnProgress, readSite } from "./source.ts";
import type { Part } from "./tables.ts";

/**
 * Copies the embedded site into the empty PostgreSQL database at `url`, and compares every table's rows on both sides.
 * Returns how many rows and tables those were. The embedded site keeps its content; a migration that is due is made there first, as at a start.
 * @throws AppError FORBIDDEN if the site is in PostgreSQL already, is being served, or the two sides differ; or as `fillDatabase`
 * @throws EnvError if `url` is no address of a PostgreSQL; StartupError if that cannot be used
 */
export async function moveToPostgres(url: string, onProgress: OnProgress): Promise<{ rows: number; tables: number }> {
  const settings = parseEnv({ DATABASE_URL: url });
  const source = await openEmbeddedSource();
  const target = await openDriverOf(settings);
  try {
    if (target.kind === "postgresql") await checkServer(target.pool);
    const given = new Digest();
    await readSite(source, onProgress, (header, parts) => fillDatabase(target, header, given.of(parts)));
    const taken = new Digest();
    await readSite(
      target,
      () => {},
      async (_, parts) => {
        for await (const _part of taken.of(parts));
      },
    );
    return compare(given, taken);
  } finally {
    await target.close();
  }
}

/** The address with its password, if it has one, made unreadable. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = "***";
  if (shown.searchParams.has("password")) shown.searchParams.set("password", "***");
  return shown.href;
}

/** Held by this process alone, so that nobody writes what would stay behind. */
async function openEmbeddedSource(): Promise<Driver> {
  const { DATA_DIR } = env();
  if (databaseKind() === "postgresql")
    throw new AppError("FORBIDDEN", "This site is in PostgreSQL already, for DATABASE_URL is set: take it out of the settings to move an embedded one.");
  refuseClosed(DATA_DIR);
  if (!hasEmbedded(DATA_DIR)) throw new AppError("NOT_FOUND", `There is no embedded site in ${resolve(DATA_DIR)}: check DATA_DIR.`);
  try {
    const driver = await openDriver();
    // The other side has the tables of this version, and is compared with this one.
    await migrate();
    return driver;
  } catch (error) {
    if (!isStartupError(error) || !error.isInUse) throw error;
    throw new AppError("FORBIDDEN", "Heard is running on this site, and what is written from now on would stay behind: stop it first, then move.", {
      cause: error,
    });
  }
}

/** What went through, by table. */
class Digest {
  readonly tables = new Map<string, { rows: number; hash: Hash }>();

  async *of(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    for await (const part of parts) {
      const table = this.tables.get(part.table) ?? { rows: 0, hash: createHash("sha256") };
      this.tables.set(part.table, table);
      table.rows += part.rows.length;
      for (const row of part.rows) table.hash.update(`${JSON.stringify(row)}\n`);
      yield part;
    }
  }
}

function compare(given: Digest, taken: Digest): { rows: number; tables: number } {
  let rows = 0;
  for (const [name, table] of given.tables) {
    const other = taken.tables.get(name);
    if (other?.rows !== table.rows || other.hash.digest("hex") !== table.hash.digest("hex"))
      throw new AppError("FORBIDDEN", `The table "${name}" has other rows in PostgreSQL than here: keep this site as it is, and move it to a new database.`);
    rows += table.rows;
  }
  return { rows, tables: given.tables.size };
}
