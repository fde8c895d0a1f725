/** Whether the bars are measured at full scale: there the machine does nothing else, and times are judged. Elsewhere they are reported. */
export const isFullScale = process.env.PROVE === "1";

/** How much a heavy test does: `small` on every run, `full` when `PROVE=1` asks for the bars at full scale. */
export function scale(small: number, full: number): number {
  return isFullScale ? full : small;
}

/** Whether what no database decides is told in this run: `npm test` tells it on the first of its databases alone. */
export const isToldHere = process.env.TOLD_ALREADY !== "1";
