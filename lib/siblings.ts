import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "./log.ts";

/** What a process may ask of the others that serve the same site on this machine: that they take note of changes (each by what it was about); what their figures are. */
export type Question = "changed" | "figures";

/** What goes between a process and the one that started it (`front/workers.ts`), which hands questions and answers on. */
export type SiblingMessage =
  | { heard: "joined" }
  | { heard: "ready" }
  | { heard: "retire" }
  | { heard: "ask"; id: number; question: Question; about: string[] }
  | { heard: "answer"; id: number; answer: unknown }
  | { heard: "answers"; id: number; answers: unknown[] }
  | { heard: "was that all?"; at: number }
  | { heard: "that was all"; at: number };

/** Who does not answer within this is not waited for: it gives nothing out from memory before it has heard the question (`hasHeardAll`). */
const ANSWERS_WITHIN_MS = 1000;
/**
 * For how long after it was certain to have heard everything a process may still go by what it knows. Less than its siblings wait for its answer, or they would go on
 * while it still does; the rest is for their question to reach the process that hands it on.
 */
const CERTAIN_FOR_MS = ANSWERS_WITHIN_MS / 2;
const CERTAIN_EVERY_MS = 100;
/** Where nothing could be done for so long, because the process that hands questions on is silent or this one too busy to be certain, nobody waits any more. */
const CERTAIN_WITHIN_MS = 1000;
/** So long it does at a time what waited, before it listens again. */
const SLICE_MS = 50;
/** Of so many questions at most the answer is open: the process that hands them on may be frozen. */
const MAX_UNANSWERED = 10;

type Questions = {
  count: number;
  /** Who waits to be answered, by the question's number. */
  waiting: Map<number, (answers: unknown[]) => void>;
  /** The instant, by `performance.now()`, up to which this process has heard all that the others said; null before it joined them. */
  certainAt: number | null;
  unanswered: number;
  /** What is to be done when that instant is a later one; its next slice, and the timer that ends the wait. */
  untilHeard: Set<() => void>;
  next?: NodeJS.Immediate;
  patience?: NodeJS.Timeout;
};

declare global {
  /** What this process waits to hear, although this code exists twice: in the front server and in Next's bundle. */
  var heardQuestions: Questions | undefined;
}

globalThis.heardQuestions ??= { count: 0, waiting: new Map(), certainAt: null, unanswered: 0, untilHeard: new Set() };
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
  // Before this process has joined them it may itself be what was too busy: it is loading code, and hears nothing for a second or more.
  if (!answered && questions.certainAt !== null) log.info({ question }, "The other processes of this start are too busy to answer.");
  return (answered ?? []).filter((answer) => answer !== null);
}

/**
 * Whether this process knows all that the others said: also that which a busy moment, or one in which it was frozen, may have left unread in the line from
 * the process that hands it on. Where it does not, one of them may have been answered meanwhile without it.
 */
export function hasHeardAll(): boolean {
  return !hasSiblings() || (questions.certainAt !== null && performance.now() - questions.certainAt <= CERTAIN_FOR_MS);
}

/**
 * Does `work` when this process knows all that the others said: at once, or as soon as it has heard it. It waits neither before it has joined them nor where
 * for a second nothing could be done that waited.
 */
export function whenAllIsHeard(work: () => void): void {
  if (questions.certainAt === null || hasHeardAll()) return work();
  questions.untilHeard.add(work);
  if (questions.untilHeard.size > 1) return;
  askWhetherAll();
  bePatient();
}

function bePatient(): void {
  clearTimeout(questions.patience);
  questions.patience = setTimeout(() => goOn(() => true), CERTAIN_WITHIN_MS);
}

/** Does what waited, a slice at a time, for as long as `may` says so: doing it may itself take longer than what was heard counts for. */
function goOn(may: () => boolean): void {
  const until = performance.now() + SLICE_MS;
  let done = 0;
  for (const work of [...questions.untilHeard]) {
    if (!may() || performance.now() > until) break;
    questions.untilHeard.delete(work);
    done++;
    work();
  }
  if (questions.untilHeard.size === 0) return clearTimeout(questions.patience);
  // Where nothing could be done the time runs on: whoever is always too late would else wait for good.
  if (done > 0) bePatient();
  if (!may()) return askWhetherAll();
  questions.next ??= setImmediate(() => {
    questions.next = undefined;
    goOn(may);
  });
}

/** What is answered comes behind all that was said before on the same line. */
function askWhetherAll(): void {
  if (questions.unanswered >= MAX_UNANSWERED) return;
  questions.unanswered++;
  sendToPrimary({ heard: "was that all?", at: performance.now() });
}

function becomeCertain(at: number): void {
  questions.unanswered--;
  questions.certainAt = Math.max(questions.certainAt ?? at, at);
  if (questions.untilHeard.size > 0) goOn(hasHeardAll);
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
    if (message.heard === "that was all") becomeCertain(message.at);
    else if (message.heard === "answers") questions.waiting.get(message.id)?.(message.answers);
    else if (message.heard === "ask") sendToPrimary({ heard: "answer", id: message.id, answer: await answerTo(message.question, message.about) });
  });
  sendToPrimary({ heard: "joined" });
  if (!hasSiblings()) return;
  askWhetherAll();
  setInterval(askWhetherAll, CERTAIN_EVERY_MS).unref();
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
