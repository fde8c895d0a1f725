import { closeSync, fsyncSync, openSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { PGlite as Engine } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Stream = { nfd?: number; node: object };

/** The part of Emscripten's NODEFS that fsync needs; PGlite does not type it. */
type NodeFsModule = {
  NODEFS: {
    realPath(node: object): string;
    convertNodeCode(error: unknown): number;
    stream_ops: { fsync?: (stream: Stream) => number };
  };
  FS: { ErrnoError: new (errno: number) => Error };
};

/**
 * What the engine is started with: PGlite's own parameters without `-F`, which turns fsync off. The WAL is synced by fsync,
 * since Emscripten answers fdatasync, the default, by doing nothing. UTC, because the Prisma adapter sends timestamps without a zone.
 */
export const DURABLE_START_PARAMS = [...Engine.defaultStartParams.filter((param) => param !== "-F"), ...["-c", "wal_sync_method=fsync", "-c", "TimeZone=UTC"]];

/**
 * A directory on disk whose fsync reaches the disk: Emscripten's NODEFS has none, so that every sync of the engine would do nothing.
 * It is there before the engine starts, because crash recovery syncs, too.
 */
export class DurableFs extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS["init"]>[1]) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addFsync = (module: unknown) => {
      const engine = module as NodeFsModule;
      engine.NODEFS.stream_ops.fsync = (stream) => syncStream(engine, stream);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}

function syncStream({ NODEFS, FS }: NodeFsModule, stream: Stream): number {
  try {
    if (stream.nfd === undefined) syncPath(NODEFS.realPath(stream.node));
    else fsyncSync(stream.nfd);
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
