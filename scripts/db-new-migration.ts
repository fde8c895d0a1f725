import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { EmbeddedAdapter } from "#lib/embedded/adapter";
import { EMBEDDED_EXTENSIONS } from "#lib/embedded/extensions";
import { listMigrations } from "#lib/migrate/history";
import { applyWithEngine, diffToSchema } from "#lib/migrate/schema-engine";
import { readWord } from "./arguments.ts";

/** `npm run db:new-migration NAME`: writes what prisma/schema.prisma has and the migrations lack as a new one. Needs no server and no network. */
const name = readWord() ?? "";
if (/^[a-z][a-z0-9_]*$/.test(name)) await writeMigration();
else fail("Give the migration a name of lower-case letters, digits and underscores, such as: npm run db:new-migration add_votes");

async function writeMigration(): Promise<void> {
  const scratch = await PGlite.create({ extensions: EMBEDDED_EXTENSIONS });
  const adapter = new EmbeddedAdapter(scratch);
  await applyWithEngine(adapter, await listMigrations());
  const sql = await diffToSchema(adapter);
  await scratch.close();
  if (!sql) return console.log("The migrations already say all that prisma/schema.prisma says: nothing to write.");

  const folder = join("prisma/migrations", `${timestamp()}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, "migration.sql"), `${sql}\n`);
  console.log(`Written: ${folder}/migration.sql\nRead it, add by hand what the schema cannot say (checks, data), then: npm run db:migrate`);
}

/** As Prisma names its folders: UTC, to the second. */
function timestamp(): string {
  return new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
