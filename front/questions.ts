import cluster, { type Worker } from "node:cluster";
import type { SiblingMessage } from "#lib/siblings";

/** Hands what one process asks (`lib/siblings.ts`) to all others that have joined, and their answers back when the last one has come. */
export function handQuestionsOn(): void {
  const joined = new Set<Worker>();
  const open = new Map<number, { waiting: Set<Worker>; answers: unknown[]; done: (answers: unknown[]) => void }>();
  let count = 0;

  const settle = (id: number, worker: Worker) => {
    const question = open.get(id);
    question?.waiting.delete(worker);
    if (!question || question.waiting.size > 0) return;
    open.delete(id);
    question.done(question.answers);
  };

  cluster.on("message", (worker, message: SiblingMessage) => {
    if (message.heard === "joined") joined.add(worker);
    if (message.heard === "was that all?") afterEveryLine(() => tell(worker, { heard: "that was all", at: message.at }));
    if (message.heard === "ask") {
      const id = count++;
      const others = [...joined].filter((other) => other !== worker);
      open.set(id, { waiting: new Set(others), answers: [], done: (answers) => tell(worker, { heard: "answers", id: message.id, answers }) });
      for (const other of others) tell(other, { ...message, id });
      settle(id, worker);
    }
    if (message.heard === "answer") {
      open.get(message.id)?.answers.push(message.answer);
      settle(message.id, worker);
    }
  });
  cluster.on("exit", (worker) => {
    joined.delete(worker);
    for (const id of open.keys()) settle(id, worker);
  });
}

/** Does `work` when every line has been read on which something waits now: some may not have been among those that this turn of the event loop reads. */
function afterEveryLine(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/** Sends a process a message, if it is still there. One that was killed may look so for a moment: without the callback, what fails then would end this process, too. */
export function tell(worker: Worker, message: SiblingMessage): void {
  if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => {});
}
