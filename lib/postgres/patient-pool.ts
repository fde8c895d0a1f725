import pg from "pg";

/** How long somebody waits for a connection of a pool that has none to give: with all that comes before and after, below 2 s. */
const PATIENCE_MS = 1100;
/** A crowd that is being served waits for longer, but not for ever. */
const MAX_WAIT_MS = 10_000;
const TICK_MS = 100;
/** How often each connection has been handed on in that time where a crowd is being served; on a server that is slow it is far less. */
const BRISK_TURNS = 5;

type Waiter = { since: number; ticks: number; acquired: number; giveUp(): void };
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void;

/**
 * A pool that blames its server for what its server does, and not for a crowd of callers. Who waits for a connection is refused, in the words of `pg`, when the server is slow or
 * silent; while connections go from hand to hand, and as long as this process is too busy to hear the server, it waits on.
 */
export class PatientPool extends pg.Pool {
  readonly #waiters = new Set<Waiter>();
  #ticker: NodeJS.Timeout | undefined;
  #acquired = 0;

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    this.on("acquire", () => (this.#acquired += 1));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const waiting = this.#wait(super.connect());
    if (!callback) return waiting;
    waiting.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  /** What `connecting` brings, or an error once it has been waited for long enough: then it is given back as soon as it comes. */
  #wait(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        since: performance.now(),
        ticks: 0,
        acquired: this.#acquired,
        giveUp: () => {
          this.#forget(waiter);
          reject(new Error("timeout exceeded when trying to connect"));
        },
      };
      this.#waiters.add(waiter);
      this.#ticker ??= setInterval(() => this.#tick(), TICK_MS).unref();
      connecting.then(
        (client) => (this.#forget(waiter) ? resolve(client) : client.release()),
        (error) => this.#forget(waiter) && reject(error),
      );
    });
  }

  /** Time is counted in turns of this process: one that comes late counts once, and what has arrived meanwhile is read before the next. */
  #tick(): void {
    const now = performance.now();
    for (const waiter of this.#waiters) {
      waiter.ticks += 1;
      if (waiter.ticks * TICK_MS < PATIENCE_MS) continue;
      const isBrisk = this.#acquired - waiter.acquired >= BRISK_TURNS * this.options.max;
      if (!isBrisk || now - waiter.since > MAX_WAIT_MS) waiter.giveUp();
      else Object.assign(waiter, { ticks: 0, acquired: this.#acquired });
    }
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
