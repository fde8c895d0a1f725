import { type ExecProtocolOptions, PGlite, protocol } from "@electric-sql/pglite";
import { log } from "../log.ts";
import { DURABLE_START_PARAMS, DurableFs } from "./durable-fs.ts";
import { EMBEDDED_EXTENSIONS } from "./extensions.ts";
import { ENOUGH_BYTES, freeBytes, inMegabytes, LOG_FILE_BYTES, RESERVE_BYTES } from "./room.ts";

/** How often the log is looked after, and how far it may then have grown before a checkpoint is due. */
const UPKEEP_EVERY_MS = 60_000;
const CHECKPOINT_AFTER_BYTES = 2 * LOG_FILE_BYTES;
/** So many files of the log lie ready, for a disk that fills from one moment to the next: reading adds to the log, too, if little. */
const SPARE_LOG_FILES = 2;

/** SQLSTATEs: a write where only reading is allowed, and what that means here. */
const READ_ONLY = "25006";
const DISK_FULL = "53100";

const LOG_STATE = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS "bytes",
  (SELECT count(*)::int FROM pg_ls_waldir() WHERE "name" > pg_walfile_name(pg_current_wal_insert_lsn())) AS "spare" FROM pg_control_checkpoint()`;

/** Of a file in which there is nothing yet the engine goes to no other. */
const NEXT_LOG_FILE = "SELECT pg_logical_emit_message(false, 'heard', ''), pg_switch_wal()";

/**
 * PGlite for a process that runs for months. Before the disk is full it takes no more writes, which fail as `DISK_FULL`, and goes on by itself
 * when there is room again. It makes checkpoints, without which its log would grow until the process ends. And where it dies it takes the process along.
 */
export class Engine extends PGlite {
  readonly #directory: string;
  readonly #fs: DurableFs;
  #isReadOnly = false;
  #upkeep: NodeJS.Timeout | undefined;
  #lastUpkeep = Promise.resolve();

  private constructor(directory: string, fs: DurableFs, onStderr: (text: string) => boolean) {
    super({ fs, startParams: DURABLE_START_PARAMS, extensions: EMBEDDED_EXTENSIONS, onStderr });
    this.#directory = directory;
    this.#fs = fs;
  }

  /** Opens the database in `directory`, made where there is none. @throws Error with the engine's own reason */
  static async open(directory: string): Promise<Engine> {
    let [isOpen, lastWords] = [false, ""];
    const listen = (text: string) => {
      lastWords = /\b(?:PANIC|FATAL): +(.+)/.exec(text)?.[1] ?? lastWords;
      return false;
    };
    const onLostLog = (error: unknown) => {
      if (!isOpen) throw error;
      return endProcess(`its log cannot be synced: ${(error as Error).message}`);
    };
    const fs = new DurableFs(directory, { onAbort: () => isOpen && endProcess(lastWords), onLostLog });
    const engine = new Engine(directory, fs, listen);
    await engine.waitReady.catch((error: unknown) => {
      throw new Error(lastWords || reasonOf(error), { cause: error });
    });
    await engine.#forgetRowArrays();
    isOpen = true;
    engine.#upkeep = setInterval(() => (engine.#lastUpkeep = engine.#lookAfterLog()), UPKEEP_EVERY_MS).unref();
    return engine;
  }

  /**
   * PGlite copies all its parsers for each statement that brings some of its own, as Prisma's do. Two thirds read arrays of whole rows, one for each
   * table and each catalog: nobody asks for such, and to copy them took a tenth of a write.
   */
  async #forgetRowArrays(): Promise<void> {
    const { rows } = await this.query<{ typarray: number }>(`SELECT typarray FROM pg_type WHERE typtype = 'c'`);
    const unused = new Set(rows.map(({ typarray }) => String(typarray)));
    this.parsers = Object.fromEntries(Object.entries(this.parsers).filter(([type]) => !unused.has(type)));
  }

  override async close(): Promise<void> {
    clearInterval(this.#upkeep);
    await this.#lastUpkeep;
    await super.close();
  }

  /** Every statement goes through here, within transactions, too. */
  override _runExclusiveQuery<Result>(run: () => Promise<Result>): Promise<Result> {
    return super._runExclusiveQuery(async () => {
      if (this.ready) await this.#heedRoom();
      return this.#fs.deferLogSyncs(run);
    });
  }

  override async execProtocolStream(message: Uint8Array, options?: ExecProtocolOptions) {
    try {
      return await super.execProtocolStream(message, options);
    } catch (error) {
      if ((error as { code?: string }).code !== READ_ONLY || freeBytes(this.#directory) >= ENOUGH_BYTES) throw error;
      throw Object.assign(error as Error, { code: DISK_FULL, message: `The disk that holds ${this.#directory} is full: nothing is written to it.` });
    }
  }

  /** Whether a statement writes the engine knows best: all that is said to it is that it may not. */
  async #heedRoom(): Promise<void> {
    const free = freeBytes(this.#directory);
    if (this.isInTransaction()) {
      if (free < RESERVE_BYTES) await this.#tell("SET transaction_read_only = on");
      return;
    }
    const isReadOnly = free < (this.#isReadOnly ? ENOUGH_BYTES : RESERVE_BYTES);
    if (isReadOnly === this.#isReadOnly) return;
    this.#isReadOnly = isReadOnly;
    await this.#tell(`SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
    if (isReadOnly) log.warn({ free: inMegabytes(free), directory: this.#directory }, "The disk is full: the database takes no writes until there is room.");
    else log.info({ free: inMegabytes(free) }, "The disk has room again: the database takes writes.");
  }

  /** Says it between two statements. Where it fails, as in a transaction that has failed, the next statement does as well. */
  async #tell(sql: string): Promise<void> {
    await this.execProtocol(protocol.serialize.query(sql), { throwOnError: false });
  }

  /**
   * What a PostgreSQL server does beside its work, and this one does not: checkpoints, after which the log's files are used again, as the next ones, or removed
   * where there are many. Where too few lie ready some are gone through, so that they become such.
   */
  async #lookAfterLog(): Promise<void> {
    try {
      const { rows } = await this.query<{ bytes: number; spare: number }>(LOG_STATE);
      const [{ bytes, spare }] = rows as [{ bytes: number; spare: number }];
      const isShort = spare < SPARE_LOG_FILES && freeBytes(this.#directory) > 2 * RESERVE_BYTES;
      if (isShort) for (let file = 0; file <= SPARE_LOG_FILES; file++) await this.query(NEXT_LOG_FILE);
      if (isShort || bytes > CHECKPOINT_AFTER_BYTES) await this.exec("CHECKPOINT");
    } catch (error) {
      log.warn({ err: error }, "The upkeep of the database's log failed; it is tried again.");
    }
  }
}

/** Numbers of `errno` in WASI preview 1, which are not those of the machine: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md */
const WASI_ERRORS: Record<number, string> = {
  2: "EACCES",
  19: "EDQUOT",
  28: "EINVAL",
  29: "EIO",
  33: "EMFILE",
  41: "ENFILE",
  44: "ENOENT",
  51: "ENOSPC",
  54: "ENOTDIR",
  63: "EPERM",
  69: "EROFS",
};

/** Its file system throws what is no `Error`, and knows its number alone. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  const { errno } = error as { errno: number };
  return WASI_ERRORS[errno] ?? `WASI error ${errno}`;
}

/** An engine that has given up never returns from the next call, and with it hangs all else. What it had acknowledged the next start recovers. */
function endProcess(reason: string): never {
  log.fatal({ reason }, "The embedded database cannot go on: ending at once.");
  process.exit(1);
}
