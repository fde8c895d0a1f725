import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { types } from "pg";
import type { Migration } from "./history.ts";

const SCHEMA_PATH = "prisma/schema.prisma";

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * The SQL that leads from what is in the database behind `adapterFactory` to `prisma/schema.prisma`; empty when they agree.
 */
export async function diffToSchema(adapterFactory: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const schema = { files: [{ path: SCHEMA_PATH, content: await readFile(SCHEMA_PATH, "utf8") }] };
  const engine = await openSchemaEngine(adapterFactory);
  try {
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", configDir: "prisma", ...schema },
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return stdout?.replace("-- This is an empty migration.", "").trim() ?? "";
  } finally {
    engine.free();
  }
}

/**
 * Applies what the database lacks of `history`, all migrations up to one of them, and records it in `_prisma_migrations`. What makes that one step is a
 * transaction around it, which `adapterFactory` is to be part of.
 * @throws what the database or the way to it failed with first (DriverAdapterError where the database said it); Error of the engine where that found something wrong itself
 */
export async function applyWithEngine(adapterFactory: SqlMigrationAwareDriverAdapterFactory, history: Migration[]): Promise<void> {
  let refusal: unknown;
  const engine = await openSchemaEngine(
    adapting(adapterFactory, (adapter) => {
      const noting = <Argument, Result>(call: (argument: Argument) => Promise<Result>) => {
        return (argument: Argument) =>
          call.call(adapter, argument).catch((error: unknown) => {
            refusal ??= error;
            throw error;
          });
      };
      const { queryRaw, executeRaw, executeScript } = adapter;
      return Object.assign(adapter, { queryRaw: noting(queryRaw), executeRaw: noting(executeRaw), executeScript: noting(executeScript) });
    }),
  );
  try {
    await engine.applyMigrations({ migrationsList: asList(history), filters: NO_FILTERS });
  } catch (error) {
    // The engine's own words are for who uses its command line: of a refusal they tell what came after it, and of a lost connection nothing.
    throw refusal ?? error;
  } finally {
    engine.free();
  }
}

function asList(history: Migration[]) {
  return {
    baseDir: "prisma/migrations",
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"' },
    shadowDbInitScript: "",
    migrationDirectories: history.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  };
}

/** Prisma's own schema engine on the database behind `adapterFactory`, in the build that needs no binary. Free it after use. */
async function openSchemaEngine(adapterFactory: SqlMigrationAwareDriverAdapterFactory) {
  const SchemaEngine = await loadEngine();
  const ignoreLog = () => {};
  return SchemaEngine.new(
    { datamodels: [[SCHEMA_PATH, await readFile(SCHEMA_PATH, "utf8")]] },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(readingChars(adapterFactory)),
  );
}

/** PostgreSQL's one-byte type "char", which its catalogs use: `@prisma/adapter-pg` 7.10.0 refuses it, and the engine asks for it. */
const CHAR_OID = 18;

function readingChars(factory: SqlMigrationAwareDriverAdapterFactory): SqlMigrationAwareDriverAdapterFactory {
  return adapting(factory, (connected) => {
    const adapter = connected as SqlDriverAdapter & { performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }> };
    const performIO = adapter.performIO.bind(adapter);
    const queryRaw = adapter.queryRaw.bind(adapter);
    let chars: boolean[] = [];
    adapter.performIO = async (query) => {
      const result = await performIO(query);
      chars = result.fields.map(({ dataTypeID }) => dataTypeID === CHAR_OID);
      const fields = result.fields.map((field, index) => (chars[index] ? { ...field, dataTypeID: types.builtins.TEXT } : field));
      return { ...result, fields };
    };
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      return { ...result, columnTypes: result.columnTypes.map((type, index) => (chars[index] ? ColumnTypeEnum.Character : type)) };
    };
    return adapter;
  });
}

/** `factory`, with each adapter that it makes changed by `adapt`. */
function adapting(
  factory: SqlMigrationAwareDriverAdapterFactory,
  adapt: (adapter: SqlDriverAdapter) => SqlDriverAdapter,
): SqlMigrationAwareDriverAdapterFactory {
  return Object.assign(Object.create(factory), { connect: async () => adapt(await factory.connect()) });
}

let loading: ReturnType<typeof instantiate> | undefined;

/** Loads the engine once: its bindings keep views of one WebAssembly memory, and a second would read through them. */
function loadEngine() {
  loading ??= instantiate();
  return loading;
}

/** By hand, because the package expects a bundler that can import WebAssembly, and because its timers have to be tamed. */
async function instantiate() {
  const wasmPath = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
    .replace(/\.js$/, ".wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), { "./schema_engine_bg.js": { ...bindings, ...tamedTimers() } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return bindings.SchemaEngine;
}

/** How long the engine waits for its lock it measures with timers that it never clears: a command that is done would live on for ten seconds. */
function tamedTimers() {
  const setTimer = Object.keys(bindings).find((name) => name.startsWith("__wbg_setTimeout_"));
  return setTimer && { [setTimer]: (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref() };
}
