import { closeSync, fsync, fsyncSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** Emscripten opens a directory as it does a file: `nfd` is the descriptor that Node gave for either. */
type Stream = { nfd: number; node: { parent: { name: string } } };

type Operations<Subject> = Record<string, (subject: Subject, ...rest: unknown[]) => unknown>;

/** The part of Emscripten's NODEFS that syncing needs; PGlite does not type it. */
type NodeFsModule = {
  NODEFS: {
    convertNodeCode(error: unknown): number;
    stream_ops: Operations<Stream>;
    node_ops: Operations<unknown>;
  };
  FS: { ErrnoError: new (errno: number) => Error };
};

/** Where the engine keeps its log (WAL). */
const LOG_FOLDER = "pg_wal";
/**
 * What changes something on disk, or ends a descriptor: none of it may come before what the log says of it is there. Writing has a rule of its own.
 * Today the engine closes a file before it changes names; nobody is to rely on that.
 */
const STREAM_CHANGES = ["setattr", "close"];
const NODE_CHANGES = ["mknod", "rename", "unlink", "rmdir", "setattr", "symlink"];

/**
 * What the engine is started with: PGlite's own parameters without `-F`, which turns fsync off. The WAL is synced by fsync,
 * since Emscripten answers fdatasync, the default, by doing nothing. UTC, because the Prisma adapter sends timestamps without a zone.
 * No replication origins: each checkpoint would write a file for them, without which, on a full disk, the engine dies. 32 MB of buffers instead of 128,
 * which the engine lays out one by one at its start, and so took most of it. What is not among them the system's own cache has.
 */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== "-F"),
  ...["wal_sync_method=fsync", "TimeZone=UTC", "max_active_replication_origins=0", "shared_buffers=32MB"].flatMap((setting) => ["-c", setting]),
];

/**
 * A directory on disk whose fsync reaches the disk: Emscripten's NODEFS has none, so that every sync of the engine would do nothing.
 * It is there before the engine starts, because crash recovery syncs, too.
 */
export class DurableFs extends NodeFS {
  readonly #onAbort: () => void;
  readonly #onLostLog: (error: unknown) => never;
  /** Descriptors of files of the log that the engine has synced, as it believes, while `deferLogSyncs` runs. */
  readonly #due = new Set<number>();
  #isDeferring = false;

  /** `onAbort` is called when the engine gives up for good, `onLostLog` when the disk does not take what the engine believes to be there. */
  constructor(directory: string, { onAbort, onLostLog }: { onAbort: () => void; onLostLog: (error: unknown) => never }) {
    super(directory);
    this.#onAbort = onAbort;
    this.#onLostLog = onLostLog;
  }

  override async init(pglite: PGlite, options: Parameters<NodeFS["init"]>[1]) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addSyncs = (module: unknown) => this.#addSyncs(module as NodeFsModule);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSyncs], onAbort: this.#onAbort } };
  }

  /**
   * Runs one statement of the engine, and returns when its log is on disk. The disk is waited for after the engine has returned, and not within it, where nobody
   * else of this process could go on. Nothing else may be asked of the engine meanwhile.
   */
  async deferLogSyncs<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#isDeferring = true;
    try {
      return await run();
    } finally {
      this.#isDeferring = false;
      await Promise.all([...this.#due].map(syncInBackground)).catch(this.#onLostLog);
      this.#due.clear();
    }
  }

  #addSyncs({ NODEFS, FS }: NodeFsModule): void {
    const { stream_ops, node_ops } = NODEFS;
    const isLog = ({ node }: Stream) => node.parent.name === LOG_FOLDER;
    stream_ops.fsync = (stream) => {
      try {
        if (this.#isDeferring && isLog(stream)) this.#due.add(stream.nfd);
        else fsyncSync(stream.nfd);
        return 0;
      } catch (error) {
        // The engine must hear of it in its own terms: it panics rather than acknowledge what is not on disk.
        throw new FS.ErrnoError(NODEFS.convertNodeCode(error));
      }
    };
    const write = stream_ops.write as Operations<Stream>[string];
    stream_ops.write = (stream, ...rest) => {
      if (!isLog(stream)) this.#syncDue();
      return write(stream, ...rest);
    };
    for (const name of STREAM_CHANGES) this.#putSyncBefore(stream_ops, name);
    for (const name of NODE_CHANGES) this.#putSyncBefore(node_ops, name);
  }

  #putSyncBefore<Subject>(operations: Operations<Subject>, name: string): void {
    const operation = operations[name] as Operations<Subject>[string];
    operations[name] = (...args) => {
      this.#syncDue();
      return operation(...args);
    };
  }

  /** Now, and not when the statement has ended: what comes next must not be on disk before. */
  #syncDue(): void {
    try {
      for (const descriptor of this.#due) fsyncSync(descriptor);
    } catch (error) {
      this.#onLostLog(error);
    }
    this.#due.clear();
  }
}

function syncInBackground(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())));
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
