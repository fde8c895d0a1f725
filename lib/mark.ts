/** Heard's mark, on a square of 32: the outlines of its parts, as an SVG path has them. `public/icon.svg` draws the same. */
export const MARK = {
  /** What is said: filled. */
  bubble: "M9 3h14a7 7 0 0 1 7 7v9a7 7 0 0 1-7 7h-7.6l-6 4.7A1.5 1.5 0 0 1 7 29.5V25.7A7 7 0 0 1 2 19v-9a7 7 0 0 1 7-7z",
  /** Where it comes from: a line of width 4, with round ends. */
  source: "M9.5 14.5h.01",
  /** How it spreads: lines of width 2.6, with round ends. */
  waves: "M14.3 10.2a6.2 6.2 0 0 1 0 8.6M19 7.4a10.2 10.2 0 0 1 0 14.2",
};
