import { closeSync, fsyncSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** Emscripten opens a directory as it does a file: `nfd` is the descriptor that Node gave for either. */
type Stream = { nfd: number };

/** The part of Emscripten's NODEFS that fsync needs; PGlite does not type it. */
type NodeFsModule = {
  NODEFS: {
    convertNodeCode(error: unknown): number;
    stream_ops: { fsync?: (stream: Stream) => number };
  };
  FS: { ErrnoError: new (errno: number) => Error };
};

/**
 * What the engine is started with: PGlite's own parameters without `-F`, which turns fsync off. The WAL is synced by fsync,
 * since Emscripten answers fdatasync, the default, by doing nothing. UTC, because the Prisma adapter sends timestamps without a zone.
 * No replication origins: each checkpoint would write a file for them, without which, on a full disk, the engine dies.
 */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== "-F"),
  ...["wal_sync_method=fsync", "TimeZone=UTC", "max_active_replication_origins=0"].flatMap((setting) => ["-c", setting]),
];

/**
 * A directory on disk whose fsync reaches the disk: Emscripten's NODEFS has none, so that every sync of the engine would do nothing.
 * It is there before the engine starts, because crash recovery syncs, too.
 */
export class DurableFs extends NodeFS {
  readonly #onAbort: () => void;

  /** `onAbort` is called when the engine gives up for good. */
  constructor(directory: string, onAbort: () => void) {
    super(directory);
    this.#onAbort = onAbort;
  }

  override async init(pglite: PGlite, options: Parameters<NodeFS["init"]>[1]) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addFsync = (module: unknown) => {
      const engine = module as NodeFsModule;
      engine.NODEFS.stream_ops.fsync = (stream) => syncStream(engine, stream);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync], onAbort: this.#onAbort } };
  }
}

function syncStream({ NODEFS, FS }: NodeFsModule, stream: Stream): number {
  try {
    fsyncSync(stream.nfd);
    return 0;
  } catch (error) {
    // The engine must hear of it in its own terms: it panics rather than acknowledge what is not on disk.
    throw new FS.ErrnoError(NODEFS.convertNodeCode(error));
  }
}

/** Syncs a file, or the names in a directory. */
export function syncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs a directory and all that is in it. */
export function syncTree(path: string): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) syncTree(join(path, name));
  syncPath(path);
}
