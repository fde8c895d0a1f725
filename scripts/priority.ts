import { constants, getPriority, setPriority } from "node:os";

/** Lets whoever waits for the running site come first, for what takes long beside it. A priority that is lower already stays: back to a higher one nobody but root may go. */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}
