import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "./log.ts";

/** What a process may ask of the others that serve the same site on this machine: that they take note of changes (each by what it was about); what their figures are. */
export type Question = "changed" | "figures";

/** What goes between a process and the one that started it (`scripts/serve/workers.ts`), which hands questions and answers on. */
export type SiblingMessage =
  | { heard: "joined" }
  | { heard: "ready" }
  | { heard: "retire" }
  | { heard: "ask"; id: number; question: Question; about: string[] }
  | { heard: "answer"; id: number; answer: unknown }
  | { heard: "answers"; id: number; answers: unknown[] };

/** Who does not answer within this is not waited for: it is as busy for those who read there. */
const ANSWERS_WITHIN_MS = 1000;

declare global {
  /** What this process waits to be answered, although this code exists twice: in the front server and in Next's bundle. */
  var heardQuestions: { count: number; waiting: Map<number, (answers: unknown[]) => void> } | undefined;
}

globalThis.heardQuestions ??= { count: 0, waiting: new Map() };
const questions = globalThis.heardQuestions;

/** Whether this process is one of several that one start runs. */
export function hasSiblings(): boolean {
  return cluster.isWorker;
}

/** Asks all others, and returns what those answered who could, and did in time. Nobody is asked where there is but one process. */
export async function askSiblings(question: Question, about: string[] = []): Promise<unknown[]> {
  if (!hasSiblings()) return [];
  const id = questions.count++;
  const answers = new Promise<unknown[]>((resolve) => questions.waiting.set(id, resolve));
  sendToPrimary({ heard: "ask", id, question, about });
  const late = sleep(ANSWERS_WITHIN_MS, null, { ref: false });
  const answered = await Promise.race([answers, late]);
  questions.waiting.delete(id);
  // One that is loading code is deaf for a second or more.
  if (!answered) log.info({ question }, "The other processes of this start are too busy to answer.");
  return (answered ?? []).filter((answer) => answer !== null);
}

/** Answers what the others ask from now on, and hears what they answered. */
export function answerSiblings(answerers: Record<Question, (about: string[]) => unknown>): void {
  const answerTo = async (question: Question, about: string[]) => {
    try {
      return await answerers[question](about);
    } catch (error) {
      log.error({ err: error, question }, "a question of another process could not be answered");
      return null;
    }
  };
  process.on("message", async (message: SiblingMessage) => {
    if (message.heard === "answers") questions.waiting.get(message.id)?.(message.answers);
    else if (message.heard === "ask") sendToPrimary({ heard: "answer", id: message.id, answer: await answerTo(message.question, message.about) });
  });
  sendToPrimary({ heard: "joined" });
}

/** Calls `retire` when another process has taken over from this one. */
export function onRetire(retire: () => void): void {
  process.on("message", (message: SiblingMessage) => message.heard === "retire" && retire());
}

/** Tells the process that started this one, if it runs several. */
export function sendToPrimary(message: SiblingMessage): void {
  // Where that has ended, this one is about to end, too: a message that comes too late is no failure.
  if (cluster.isWorker && process.connected) process.send?.(message, undefined, undefined, () => {});
}
