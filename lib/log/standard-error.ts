import { write, writeSync } from "node:fs";

const DESCRIPTOR = 2;
const AGAIN_AFTER_MS = 100;
/** So often the last lines are tried where whoever reads them is slow to make room. */
const LAST_TRIES = 10;
/** So much may wait for a reader who does not read, in characters; what comes then is dropped. */
const MAX_WAITING = 8 * 1024 * 1024;

/**
 * Standard error for `pino`: lines are written in the background and, when the process ends, at once. What cannot be written, as on a full disk or where nobody reads any more,
 * is dropped, and the process goes on. `pino.destination` (sonic-boom 4.2.1) ends it on a full disk, and tries the last lines for ever.
 */
export class StandardError {
  #waiting = "";
  #isWriting = false;

  constructor() {
    process.on("exit", () => this.flushSync());
  }

  write(line: string): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting += line;
    if (!this.#isWriting) this.#writeOn();
  }

  /** Writes what waits now. `pino` asks for it behind a fatal line. */
  flushSync(): void {
    let rest = this.#take();
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; ) {
      try {
        rest = rest.subarray(writeSync(DESCRIPTOR, rest));
      } catch (error) {
        if (!isFull(error)) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_AFTER_MS);
      }
    }
  }

  #writeOn(): void {
    this.#isWriting = this.#waiting !== "";
    if (this.#isWriting) this.#writeRest(this.#take());
  }

  #writeRest(rest: Buffer): void {
    write(DESCRIPTOR, rest, (error, written) => {
      if (isFull(error)) setTimeout(() => this.#writeRest(rest), AGAIN_AFTER_MS);
      else if (!error && written < rest.length) this.#writeRest(rest.subarray(written));
      else this.#writeOn();
    });
  }

  #take(): Buffer {
    const lines = Buffer.from(this.#waiting);
    this.#waiting = "";
    return lines;
  }
}

/** Whether whoever reads has to make room first. */
function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === "EAGAIN";
}
