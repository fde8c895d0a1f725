import type pg from "pg";
import { askSiblings, hasSiblings } from "./siblings.ts";

/** Where the triggers of `prisma/migrations` say that something was written which visitors see. */
export const CHANGES_CHANNEL = "heard_changes";

const LISTEN_WITHIN_MS = 700;
/** SQLSTATE of what a server in recovery does not do. */
const READ_ONLY = "25006";

/** What `pg` has beside its public type: the number of the server's process behind a connection. */
type Internals = pg.ClientBase & { processID: number };

declare global {
  /** The data's state as far as this process knows. `stop` ends the hearing of changes, where that has begun. */
  var heardChanges: { version: number; isHearing: boolean; deaf: number; stop?: () => void } | undefined;
}

globalThis.heardChanges ??= { version: 0, isHearing: false, deaf: 0 };
const state = globalThis.heardChanges;

/**
 * A number that every write to what visitors see raises: what was read under one number is current for as long as it is the same.
 * A write of this process, or of one beside it that the same start runs, has raised it before whoever wrote hears of the commit; one of any other process
 * within `HEARD_WITHIN_MS`.
 * Null while nobody would tell: then nothing that was read may be kept.
 */
export function dataVersion(): number | null {
  return state.isHearing && state.deaf === 0 ? state.version : null;
}

/** Raises the number: something was written, or may have been. */
export function noteChange(): void {
  state.version++;
}

/** Says whether changes are heard of from now on. What was missed before counts as a change. */
export function setHearing(isHearing: boolean): void {
  noteChange();
  state.isHearing = isHearing;
}

/** Has a new connection of the pool hear of changes: those of its own transactions arrive before the answer to their COMMIT (PostgreSQL's `PostgresMain`). */
export async function hearOwnChanges(client: pg.ClientBase): Promise<void> {
  if (hasSiblings()) tellSiblingsFirst(client as Internals);
  else client.on("notification", noteChange);
  // Nobody watches yet whether the server still answers.
  const listen = { text: `LISTEN ${CHANGES_CHANNEL}`, query_timeout: LISTEN_WITHIN_MS } as pg.QueryConfig;
  await client.query(listen).catch((error: { code?: string }) => {
    // A server that only follows another refuses, and still answers: nothing is kept while such a connection lives.
    if (error.code !== READ_ONLY) throw error;
    state.deaf++;
    client.once("end", () => state.deaf--);
  });
}

/** Keeps the answer to a statement that committed a change of this connection's own back until the processes beside this one have heard of it. */
function tellSiblingsFirst(client: Internals): void {
  let isUntold = false;
  client.on("notification", ({ processId }) => {
    noteChange();
    if (processId === client.processID) isUntold = true;
  });
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const tell = async () => {
    isUntold = false;
    await askSiblings("changed");
  };
  const queryAndTell = (...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done === "function")
      return query(...args.slice(0, -1), (...outcome: unknown[]) => (isUntold ? void tell().then(() => done(...outcome)) : done(...outcome)));
    const answer = query(...args);
    return answer instanceof Promise ? answer.finally(() => (isUntold ? tell() : undefined)) : answer;
  };
  Object.assign(client, { query: queryAndTell });
}

/** What `stopHearing` is to do. */
export function onStopHearing(stop: () => void): void {
  state.stop = stop;
}

/** Ends the hearing of changes. */
export function stopHearing(): void {
  state.stop?.();
  state.stop = undefined;
  setHearing(false);
}
