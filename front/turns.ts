/** So long work is begun in one turn of the event loop, in milliseconds; to begin a page takes one to three. */
const SLICE_MS = 5;

/**
 * Begins pieces of work in the order in which they come, at once where there are few. Of a crowd that comes together only as many are begun in each turn of the event loop as its slice
 * has time for: everybody else, whose answer is ready, would wait for all.
 */
export function inTurns(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  /** When the slice of the turn under way is over; null where nothing was begun in it. */
  let endsAt: number | null = null;

  function startTurn(): void {
    endsAt = performance.now() + SLICE_MS;
    setImmediate(() => {
      endsAt = null;
      if (waiting.length > 0) startTurn();
    });
    beginSome(endsAt);
  }

  function beginSome(until: number): void {
    while (waiting.length > 0 && performance.now() < until) waiting.shift()?.();
  }

  return (begin) => {
    waiting.push(begin);
    if (endsAt === null) startTurn();
    else beginSome(endsAt);
  };
}
