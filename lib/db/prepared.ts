import { createHash } from "node:crypto";
import type pg from "pg";
import type { Prisma } from "#prisma/generated/client";
import { dataVersion } from "../changes.ts";
import { openDriver } from "../db.ts";

/** What PostgreSQL says of a kept statement after a migration gave one of its columns another type (`RevalidateCachedQuery` in its plancache.c). */
const OUTDATED = { code: "0A000", routine: "RevalidateCachedQuery" };

declare global {
  /** Part of every name: raised when a statement turns out to be outdated, so that each connection takes all of them in anew. This code exists twice, and its connections once. */
  var heardStatements: { generation: number } | undefined;
}

globalThis.heardStatements ??= { generation: 0 };
const state = globalThis.heardStatements;
const names = new Map<string, string>();

/**
 * The rows of a statement that nearly every request needs, and that is one of a few texts, made of constants alone. It goes past Prisma, which takes
 * as long over it as the driver itself, and each connection of PostgreSQL keeps it read and planned.
 * Values are the driver's: `timestamptz` a Date, `integer` a number. Not within a transaction.
 */
export async function queryPrepared<Row>({ text, values }: Prisma.Sql): Promise<Row[]> {
  const driver = await openDriver();
  if (driver.kind === "embedded") return (await driver.pglite.query<Row>(text, values)).rows;
  const run = async () => (await driver.pool.query({ name: nameOf(text), text, values })).rows as Row[];
  const used = state.generation;
  return run().catch((error: Partial<pg.DatabaseError>) => {
    if (error.code !== OUTDATED.code || error.routine !== OUTDATED.routine) throw error;
    state.generation = Math.max(state.generation, used + 1);
    return run();
  });
}

/** The name under which a connection keeps a statement; none where it keeps none, as behind a pooler that hands connections from one to the other, which does not let changes be heard of either. */
function nameOf(text: string): string | undefined {
  if (dataVersion() === null) return undefined;
  const name = names.get(text) ?? `heard_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
  names.set(text, name);
  return `${name}_${state.generation}`;
}
