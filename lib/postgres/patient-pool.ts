import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isAnswering } from "./silence.ts";

/** How long somebody waits for a connection of a pool that has none to give: with the question that may follow, and all that comes before and after, below 2 s. */
const PATIENCE_MS = 1000;
/** A crowd that is being served waits for longer, but not for ever. */
export const MAX_WAIT_MS = 10_000;
const TICK_MS = 100;
/** How often a server that answers nobody is asked whether it does again. */
const LOOK_AGAIN_MS = 200;
/** After so long whoever was let in no more looks whether a connection that is there is free. */
const TRY_AGAIN_MS = 50;

type Waiter = { since: number; ticks: number; handedOut: number; giveUp(): void };
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void;
/** What `pg-pool` has beside its public type: who waits there. It takes out by itself only whom it refuses by its own clock. */
type Internals = { _pendingQueue: { callback: Callback }[] };

/**
 * A pool that blames its server for what its server does, and not for a crowd of callers. Who waits for a connection is refused, in the words of `pg`, where none has been handed
 * on, or the server is slow to answer whoever connects. While a crowd is being served, however much its members wait for each other, and as long as this process is too busy to
 * hear the server, it waits on. Of a server that answers nobody at all each is refused at once, until it answers again: what asks it several times, as a page does, would wait as often.
 * A server that lets nobody more in, as on a full disk or where others have taken its last connections, still serves who is in: then each waits for one that is there.
 */
export class PatientPool extends pg.Pool {
  readonly #waiters = new Set<Waiter>();
  #ticker: NodeJS.Timeout | undefined;
  #answering: Promise<boolean> | undefined;
  /** How many connections were given to somebody who waited for one still. */
  #handedOut = 0;
  /** How many there are, in use or not. */
  #connected = 0;
  #isSilent = false;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on("connect", () => this.#connected++);
    this.on("remove", () => this.#connected--);
  }

  /** To be told of a server that answers nobody who connects anew: whether it still answers on a connection that is there is not asked. */
  noteSilence(): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    for (const waiter of this.#waiters) waiter.giveUp();
    void this.#awaitAnswer();
  }

  async #awaitAnswer(): Promise<void> {
    while (!this.ending && !(await isAnswering(this.options))) await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    this.#isSilent = false;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!callback) return new Promise((resolve, reject) => this.#wait((error, client) => (client ? resolve(client) : reject(error))));
    this.#wait(callback);
  }

  /** Calls back with a connection, or with an error once it has been waited for long enough: then it is given back as soon as it comes. */
  #wait(callback: Callback): void {
    if (this.#isSilent) return void setImmediate(() => refuse(callback));
    const handOn: Callback = (error, client, done) => {
      if (isTurnedAway(error) && this.#connected > 0 && this.#waiters.has(waiter)) {
        setTimeout(() => this.#waiters.has(waiter) && super.connect(handOn), TRY_AGAIN_MS);
        return;
      }
      if (!this.#forget(waiter)) return done();
      if (client) this.#handedOut += 1;
      callback(error, client, done);
    };
    const waiter: Waiter = {
      since: performance.now(),
      ticks: 0,
      handedOut: this.#handedOut,
      giveUp: () => {
        if (!this.#forget(waiter)) return;
        this.#leaveQueue(handOn);
        refuse(callback);
      },
    };
    this.#waiters.add(waiter);
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS).unref();
    super.connect(handOn);
  }

  #leaveQueue(handOn: Callback): void {
    const queue = (this as unknown as Internals)._pendingQueue;
    const place = queue.findIndex(({ callback }) => callback === handOn);
    if (place >= 0) queue.splice(place, 1);
  }

  /** Time is counted in turns of this process: one that comes late counts once, and what has arrived meanwhile is read before the next. */
  #tick(): void {
    const now = performance.now();
    for (const waiter of this.#waiters) {
      waiter.ticks += 1;
      if (waiter.ticks * TICK_MS < PATIENCE_MS) continue;
      const isHandedNone = this.#handedOut === waiter.handedOut;
      if (isHandedNone) void this.#isAnswering();
      if (isHandedNone || now - waiter.since > MAX_WAIT_MS) waiter.giveUp();
      else void this.#ask(waiter);
    }
  }

  /** Lets a waiter wait on if the server answers. */
  async #ask(waiter: Waiter): Promise<void> {
    waiter.ticks = Number.NEGATIVE_INFINITY;
    if (!(await this.#isAnswering())) waiter.giveUp();
    else Object.assign(waiter, { ticks: 0, handedOut: this.#handedOut });
  }

  /** Asked once for all who want to know. */
  #isAnswering(): Promise<boolean> {
    this.#answering ??= isAnswering(this.options).then((isAnswered) => {
      this.#answering = undefined;
      if (!isAnswered) this.noteSilence();
      return isAnswered;
    });
    return this.#answering;
  }

  #forget(waiter: Waiter): boolean {
    const isWaiting = this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }
    return isWaiting;
  }
}

/** Whether the server answered whoever connected, and let nobody in. */
function isTurnedAway(error: Error | undefined): boolean {
  return error instanceof pg.DatabaseError && error.severity === "FATAL";
}

function refuse(callback: Callback): void {
  callback(new Error("timeout exceeded when trying to connect"), undefined, () => {});
}
