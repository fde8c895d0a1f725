/**
 * Begins one piece of work in each turn of the event loop, in the order in which they came, and the first at once. Of a crowd that comes together, each begun in
 * the same turn, everybody else would wait for all: whose answer is ready, the disk, the other connections.
 */
export function oneEachTurn(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  let isTurnTaken = false;

  function nextTurn(): void {
    const begin = waiting.shift();
    isTurnTaken = begin !== undefined;
    if (begin) take(begin);
  }

  function take(begin: () => void): void {
    // Before the work, which may throw.
    setImmediate(nextTurn);
    begin();
  }

  return (begin) => {
    if (isTurnTaken) waiting.push(begin);
    else {
      isTurnTaken = true;
      take(begin);
    }
  };
}
