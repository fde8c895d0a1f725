import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

declare global {
  /** The answer being made, by the request that it belongs to: the front server knows it, and Next's bundle has a say in it. */
  var heardAnswers: AsyncLocalStorage<ServerResponse> | undefined;
  /** Answers that are only good for the moment. */
  var heardMakeshifts: WeakSet<ServerResponse> | undefined;
  /** Answers that show one board alone, and which. */
  var heardBoardAnswers: WeakMap<ServerResponse, string> | undefined;
}

globalThis.heardAnswers ??= new AsyncLocalStorage();
globalThis.heardMakeshifts ??= new WeakSet();
globalThis.heardBoardAnswers ??= new WeakMap();
const [answers, makeshifts, boardAnswers] = [globalThis.heardAnswers, globalThis.heardMakeshifts, globalThis.heardBoardAnswers];

/** Runs `handle`, and gives what runs below it a say in `response`. The front server does so with every request that it hands to Next. */
export function whileAnswering<Result>(response: ServerResponse, handle: () => Result): Result {
  return answers.run(response, handle);
}

/** The request that is being answered; undefined where nobody asks. */
export function requestBeingAnswered(): IncomingMessage | undefined {
  return answers.getStore()?.req;
}

/**
 * Gives the page being rendered another status than 200. Next offers that only by throwing, which leaves readers without
 * JavaScript an empty page. False where it is too late, or no server of ours is in front.
 */
export function setAnswerStatus(status: number): boolean {
  const response = openAnswer();
  if (response) response.statusCode = status;
  return response !== null;
}

/** Gives the answer this status, and keeps it from whatever Next would say of it after that. May be asked for again. */
export function fixAnswerStatus(status: number): void {
  const response = openAnswer();
  if (response) Object.defineProperty(response, "statusCode", { configurable: true, get: () => status, set: () => {} });
}

/** Adds a header to the page being rendered, for which Next offers nothing. */
export function setAnswerHeader(name: string, value: string): void {
  openAnswer()?.setHeader(name, value);
}

/** Lets pages of other sites show the picture that is being answered; of everything else they get nothing. */
export function letOtherSitesShow(): void {
  setAnswerHeader("Cross-Origin-Resource-Policy", "cross-origin");
}

/** Takes back a header that the front server gave to every answer, for one that brings its own: Next would send both. */
export function removeAnswerHeader(name: string): void {
  openAnswer()?.removeHeader(name);
}

/** Says of the page being rendered that it lacks something which could not be had just now: nobody else is to get it. */
export function markMakeshift(): void {
  const response = answers.getStore();
  if (response) makeshifts.add(response);
}

/** Whether `markMakeshift` was said of this answer. */
export function isMakeshift(response: ServerResponse): boolean {
  return makeshifts.has(response);
}

/** Says of the answer being made that, beside the site's settings, it shows this board alone: what is written to others does not change it. */
export function showOneBoard(boardId: string): void {
  const response = answers.getStore();
  if (response) boardAnswers.set(response, boardId);
}

/** The board of which `showOneBoard` was said in this answer. */
export function shownBoard(response: ServerResponse): string | undefined {
  return boardAnswers.get(response);
}

function openAnswer(): ServerResponse | null {
  const response = answers.getStore();
  return response && !response.headersSent ? response : null;
}
