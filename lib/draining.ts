/** "stopping": with the whole server; "taken over": another process behind the same port answers what comes. */
type Draining = "stopping" | "taken over";

declare global {
  var heardDraining: Draining | undefined;
}

/** Whether this process is ending: it answers whoever is connected, and takes no new connections. */
export function isDraining(): boolean {
  return globalThis.heardDraining !== undefined;
}

/** Whether nobody is to be sent to this port any more: this process is ending, and none took over from it. */
export function isStopping(): boolean {
  return globalThis.heardDraining === "stopping";
}

/** From now on this process is ending. */
export function startDraining(why: Draining): void {
  globalThis.heardDraining = why;
}
