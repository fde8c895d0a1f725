/** How much a heavy test does: `small` on every run, `full` when `PROVE=1` asks for the bars at full scale. */
export function scale(small: number, full: number): number {
  return process.env.PROVE === "1" ? full : small;
}
