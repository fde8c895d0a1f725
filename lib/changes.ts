import type pg from "pg";
import { isUuid } from "./ids.ts";
import { afterTurns, cutConnection } from "./postgres/silence.ts";
import { askSiblings, hasSiblings } from "./siblings.ts";

/** Where the triggers of `prisma/migrations` say that something was written which visitors see. */
export const CHANGES_CHANNEL = "heard_changes";

const LISTEN_WITHIN_MS = 700;
/** SQLSTATE of what a server in recovery does not do. */
const READ_ONLY = "25006";

/** So many boards are told apart since the last change of everything; one more counts as one of everything. */
const MAX_BOARDS = 10_000;

/** What `pg` has beside its public type: the number of the server's process behind a connection. */
type Internals = pg.ClientBase & { processID: number };

declare global {
  /**
   * The data's state as far as this process knows: the number of the last change, of the last that was not of one board alone, and of each board's own last.
   * `stop` ends the hearing of changes, where that has begun.
   */
  var heardChanges:
    | { version: number; siteVersion: number; boardVersions: Map<string, number>; isHearing: boolean; deaf: number; stop?: () => void }
    | undefined;
}

globalThis.heardChanges ??= { version: 0, siteVersion: 0, boardVersions: new Map(), isHearing: false, deaf: 0 };
const state = globalThis.heardChanges;

/**
 * A number that every write to what visitors see raises. A write of this process, or of one beside it that the same start runs, has raised it
 * before whoever wrote hears of the commit; one of any other process within `HEARD_WITHIN_MS`.
 * Null while nobody would tell: then nothing that was read may be kept.
 */
export function dataVersion(): number | null {
  return state.isHearing && state.deaf === 0 ? state.version : null;
}

/** Whether what was begun to be read under `version` is still as it was read: all of it or, with `boardId`, what shows no other board than that one. */
export function isCurrent(version: number, boardId?: string): boolean {
  const now = dataVersion();
  if (now === null || boardId === undefined) return version === now;
  return version >= Math.max(state.siteVersion, state.boardVersions.get(boardId) ?? 0);
}

/** Raises the number: something was written, or may have been. `about` is the board alone of which it was; anything else, and nothing, stand for everything. */
export function noteChange(about = ""): void {
  state.version++;
  if (isUuid(about) && state.boardVersions.size < MAX_BOARDS) state.boardVersions.set(about, state.version);
  else {
    state.siteVersion = state.version;
    state.boardVersions.clear();
  }
}

/** Says whether changes are heard of from now on. What was missed before counts as a change. */
export function setHearing(isHearing: boolean): void {
  noteChange();
  state.isHearing = isHearing;
}

/** Has a new connection of the pool hear of changes: those of its own transactions arrive before the answer to their COMMIT (PostgreSQL's `PostgresMain`). */
export async function hearOwnChanges(client: pg.ClientBase): Promise<void> {
  if (hasSiblings()) tellSiblingsFirst(client as Internals);
  else client.on("notification", ({ payload }) => noteChange(payload));
  // Nobody watches yet whether the server still answers.
  const stop = afterTurns(LISTEN_WITHIN_MS, () => cutConnection(client));
  const listening = client.query(`LISTEN ${CHANGES_CHANNEL}`).finally(stop);
  await listening.catch((error: { code?: string }) => {
    // A server that only follows another refuses, and still answers: nothing is kept while such a connection lives.
    if (error.code !== READ_ONLY) throw error;
    state.deaf++;
    client.once("end", () => state.deaf--);
  });
}

/** Keeps the answer to a statement that committed a change of this connection's own back until the processes beside this one have heard of it. */
function tellSiblingsFirst(client: Internals): void {
  const untold = new Set<string>();
  client.on("notification", ({ processId, payload = "" }) => {
    noteChange(payload);
    if (processId === client.processID) untold.add(payload);
  });
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const tell = async () => {
    const about = [...untold];
    untold.clear();
    await askSiblings("changed", about);
  };
  const queryAndTell = (...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done === "function")
      return query(...args.slice(0, -1), (...outcome: unknown[]) => (untold.size > 0 ? void tell().then(() => done(...outcome)) : done(...outcome)));
    const answer = query(...args);
    return answer instanceof Promise ? answer.finally(() => (untold.size > 0 ? tell() : undefined)) : answer;
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
