declare global {
  var heardIsDraining: boolean | undefined;
}

/** Whether this process is ending: it answers whoever is connected, and takes no new connections. */
export function isDraining(): boolean {
  return globalThis.heardIsDraining === true;
}

/** From now on this process is stopping. */
export function startDraining(): void {
  globalThis.heardIsDraining = true;
}
