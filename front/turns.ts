/**
 * Begins pieces of work in the order in which they come, at once where none was begun in this turn of the event loop, else one in each turn: everybody else, whose answer is ready,
 * would wait for all of a crowd that comes together. No slice of time for several: most of what a request takes comes in microtasks behind its first `await`, when the slice is over.
 */
export function inTurns(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function beginNext(): void {
    const begin = waiting.shift();
    isTaken = begin !== undefined;
    if (!begin) return;
    // Before it is begun, which may throw: the others' turns come all the same.
    setImmediate(beginNext);
    begin();
  }

  return (begin) => {
    waiting.push(begin);
    if (!isTaken) beginNext();
  };
}
