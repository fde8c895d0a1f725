import { constants, fstatSync, openSync, write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const STANDARD_ERROR = 2;
const AGAIN_AFTER_MS = 50;
/** So often the last lines are tried where whoever reads them is slow to make room. */
const LAST_TRIES = 5;
/** So much may wait for a reader who does not read; what comes then is dropped. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** So much a pipe takes whole or not at all (Linux, pipe(7)): lines of several processes do not tear each other. */
const WHOLE_BYTES = 4096;
const WRITTEN_WITHIN_MS = 250;
const LOOK_AFTER_MS = 5;
const LINE_BREAK = Buffer.from("\n");

/**
 * Standard error for `pino`: lines are written in the background and, when the process ends, at once. What cannot be written, as on a full disk or where nobody reads any more,
 * is dropped, and the process goes on. `pino.destination` (sonic-boom 4.2.1) ends it on a full disk, and tries the last lines for ever.
 */
export class StandardError {
  readonly #descriptor = openPipe() ?? STANDARD_ERROR;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Whether the last line could not be written to its end: the next one does not belong to it. */
  #isTorn = false;
  /** What the reader has no room for just now. */
  #held: Buffer | null = null;

  constructor() {
    process.on("exit", () => this.flushSync());
  }

  write(line: string): void {
    if (this.#waitingBytes < MAX_WAITING_BYTES) {
      const bytes = Buffer.from(line);
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
    }
    if (!this.#isWriting) this.#writeOn();
  }

  /** Resolves when all lines are written; where their reader does not read, after 250 ms. */
  async written(): Promise<void> {
    for (let waitedMs = 0; this.#isWriting && waitedMs < WRITTEN_WITHIN_MS; waitedMs += LOOK_AFTER_MS) await sleep(LOOK_AFTER_MS);
  }

  /** Writes what waits now, past what is being written in the background. `pino` asks for it behind a fatal line. */
  flushSync(): void {
    let rest = this.#held ?? this.#take();
    this.#held = null;
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; ) {
      try {
        const written = writeSync(this.#descriptor, rest);
        this.#isTorn = written < rest.length;
        rest = this.#isTorn ? rest.subarray(written) : this.#take();
      } catch (error) {
        if (!isFull(error)) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_AFTER_MS);
      }
    }
  }

  #writeOn(): void {
    const lines = this.#held ?? this.#take();
    this.#held = null;
    this.#isWriting = lines.length > 0;
    if (this.#isWriting) this.#writeLines(lines);
  }

  #writeLines(lines: Buffer): void {
    write(this.#descriptor, lines, (error, written) => {
      if (isFull(error)) {
        this.#held = lines;
        setTimeout(() => this.#writeOn(), AGAIN_AFTER_MS);
        return;
      }
      if (!error) {
        this.#isTorn = written < lines.length;
        if (this.#isTorn) return this.#writeLines(lines.subarray(written));
      }
      this.#writeOn();
    });
  }

  /** The next lines, as many as a pipe takes whole, or one that is longer. */
  #take(): Buffer {
    const room = WHOLE_BYTES - (this.#isTorn ? LINE_BREAK.length : 0);
    let [count, bytes] = [0, 0];
    for (const { length } of this.#waiting) {
      if (count > 0 && bytes + length > room) break;
      count++;
      bytes += length;
    }
    this.#waitingBytes -= bytes;
    const lines = this.#waiting.splice(0, count);
    return Buffer.concat(this.#isTorn && count > 0 ? [LINE_BREAK, ...lines] : lines);
  }
}

/**
 * Standard error where that is a pipe, opened once more: so it has a mode of its own, in which no write waits for a reader. That of the inherited one is shared by all processes that
 * have it, and Node puts it back when one of them ends.
 */
function openPipe(): number | null {
  try {
    return fstatSync(STANDARD_ERROR).isFIFO() ? openSync(`/proc/self/fd/${STANDARD_ERROR}`, constants.O_WRONLY | constants.O_NONBLOCK) : null;
  } catch {
    return null;
  }
}

/** Whether whoever reads has to make room first. */
function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === "EAGAIN";
}
