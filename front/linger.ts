import type { IncomingMessage, ServerResponse } from "node:http";

/** How long, and how much, of a refused body is read and dropped. */
const WITHIN_MS = 2000;
const AT_MOST_BYTES = 8 * 1024 * 1024;
/** How long nothing more is taken in then, before the connection ends: whoever cannot send on turns to the answer. */
const PAUSE_MS = 200;
/** So many at once: dropping what a crowd sends would cost those who are answered. */
const AT_ONCE = 8;
/** Who sends a body with these sends it for nothing; and their answers may be held back to be kept, and must be whole at once. */
const WITHOUT_BODY = ["GET", "HEAD"];

/** What a piece counts at least: each costs time, however little is in it. */
const PIECE_BYTES = 256;

/** Takes each further piece of a body, null at its end; says whether more may come. Node's streams ask as much of `push`. */
export type TakePiece = (chunk: Buffer | null) => boolean;

let lingering = 0;
const refused = new WeakSet<ServerResponse>();

/** Whether what `response` answers was refused while it came in. Whoever was handed it, and fails on what is missing, has not failed. */
export function isRefusedMidway(response: ServerResponse): boolean {
  return refused.has(response);
}

/**
 * Ends `response`, in which all is written that it has to say, and its connection, once the rest of the request's body is in; after a moment in any case. Whoever closes a
 * connection on bytes that nobody has read has the sender's system throw the answer away unread (RFC 9112 §9.6). What it returns drops them, up to a bound, and says then that no more may come.
 */
export function linger(request: IncomingMessage, response: ServerResponse): TakePiece {
  refused.add(response);
  const finish = response.end.bind(response);
  let [left, isOver] = [AT_MOST_BYTES, false];
  const end = () => {
    if (!isOver) {
      isOver = true;
      response.once("finish", () => request.destroy());
      finish();
    }
    return false;
  };
  if (lingering >= AT_ONCE || response.closed || WITHOUT_BODY.includes(request.method ?? "GET")) {
    end();
    return end;
  }
  // Whoever was handed the request and is still at work has nothing to add.
  Object.assign(response, { write: () => true, end: () => response });
  lingering += 1;
  let timer = setTimeout(end, WITHIN_MS);
  response.once("close", () => {
    clearTimeout(timer);
    lingering -= 1;
  });
  return (chunk) => {
    if (chunk === null) return end();
    const hadRoom = left > 0;
    left -= Math.max(chunk.length, PIECE_BYTES);
    if (left > 0) return true;
    if (hadRoom) {
      clearTimeout(timer);
      timer = setTimeout(end, PAUSE_MS);
    }
    return false;
  };
}
