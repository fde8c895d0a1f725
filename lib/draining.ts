declare global {
  var heardIsDraining: boolean | undefined;
}

/** Whether this process finishes what is open and takes nothing new. */
export function isDraining(): boolean {
  return globalThis.heardIsDraining === true;
}

/** From now on this process is stopping. */
export function startDraining(): void {
  globalThis.heardIsDraining = true;
}
