import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";

const SCHEMA_PATH = "prisma/schema.prisma";
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * The SQL that leads from what is in the database behind `adapterFactory` to `prisma/schema.prisma`; empty when they agree.
 * This is Prisma's own schema engine, in the build that needs no binary; it only compares, and never applies anything.
 */
export async function diffToSchema(adapterFactory: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const content = await readFile(SCHEMA_PATH, "utf8");
  const schema = { files: [{ path: SCHEMA_PATH, content }] };
  const SchemaEngine = await loadEngine();
  const ignoreLog = () => {};
  const engine = await SchemaEngine.new({ datamodels: [[SCHEMA_PATH, content]] }, ignoreLog, bindMigrationAwareSqlAdapterFactory(adapterFactory));
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

let loading: ReturnType<typeof instantiate> | undefined;

/** Loads the engine once: its bindings keep views of one WebAssembly memory, and a second would read through them. */
function loadEngine() {
  loading ??= instantiate();
  return loading;
}

/** By hand, because the package expects a bundler that can import WebAssembly. */
async function instantiate() {
  const wasmPath = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return bindings.SchemaEngine;
}
