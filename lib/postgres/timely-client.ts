import pg from "pg";
import { afterTurns, cutConnection } from "./silence.ts";

/** A connection that takes longer to be made is given up. Whoever waits for it may have given up before (`PatientPool`). */
const CONNECT_WITHIN_MS = 3000;

/**
 * A connection of a pool, made soon or not at all. The pool itself would count the time for one and the time until one is free as one, and `pg` blames a server that this process was too busy to hear.
 * One that ends while somebody has it and asks nothing, as between two statements of a transaction, ends no process: whoever asks it next hears of it.
 */
export class TimelyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const stop = afterTurns(CONNECT_WITHIN_MS, () => cutConnection(this));
    this.on("error", () => {});
    for (const event of ["connect", "end"] as const) this.once(event, stop);
  }
}
