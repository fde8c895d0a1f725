import type { IncomingMessage, ServerResponse } from "node:http";
import { API_BODY_BYTES } from "#lib/visit";
import { createHold } from "./hold.ts";
import type { TakePiece } from "./linger.ts";
import { refuseBody, refuseBodyForNow } from "./refusals.ts";
import { createRoom } from "./room.ts";

// Each endpoint has its own, lower limit. Anybody may send this much to any address, and as many at once as `roomForHandedOn` has place for.
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** The longest body that any address takes. Pictures may have 10,000,000 bytes, and come in a form that has a few more. */
export const MAX_PICTURE_FORM_BYTES = 11 * 1024 * 1024;
const TAKES_PICTURES = /^\/(me|dashboard\/settings\/branding)\/?(\?|$)/;
/** A body that comes in pieces smaller than this, beyond the first thousand, costs more to take in than to send. */
const SMALL_PIECE_BYTES = 256;
/** What bodies that are handed on take beyond words, until they are answered: they are taken in whole. Eleven of the largest pictures at once, and people sign in beside them. */
const roomForHandedOn = createRoom(128 * 1024 * 1024);
const WORDS_BYTES = 64 * 1024;

/**
 * Counts what arrives, and refuses it past the limit, where it comes in crumbs, or where there is no room for it just now. Hands the request on at once; but one for
 * an operation, with a body whose length nobody states, when that is whole, as proxies do that buffer: Next would take in and copy as much as comes, however little of it the
 * operation reads. What is to be refused hears it then, too.
 */
export function takeBody(request: IncomingMessage, response: ServerResponse, isApi: boolean, handOn: () => void): void {
  // Behind another request on its connection some of it may have been taken in already: its socket is read no further until somebody reads it, and Next takes no body that somebody
  // began to read.
  const isHeldBack = isApi && isTakenInWhole(request) && !request.complete && request.readableLength === 0;
  const maxBytes = isHeldBack ? API_BODY_BYTES : maxBodyBytes(request);
  const push = request.push.bind(request);
  const hold = isHeldBack ? createHold() : null;
  const hasRoom = roomFor(response);
  let [bytes, pieces] = [0, 0];
  let drop: TakePiece | undefined;
  const end = (refuseIt: typeof refuseBody, chunk: Buffer | null) => {
    hold?.release();
    drop = () => false;
    if (response.headersSent) request.destroy();
    else drop = refuseIt(request, response);
    return drop(chunk);
  };
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (drop) return drop(chunk);
    bytes += chunk?.length ?? 0;
    pieces += 1;
    if (bytes > maxBytes || pieces > 1000 + bytes / SMALL_PIECE_BYTES) return end(refuseBody, chunk);
    // One that is held takes of this room when it is whole.
    if ((!hold || !chunk) && !hasRoom(bytes)) return end(refuseBodyForNow, chunk);
    if (!hold) return push(chunk, encoding);
    // Where this was false, the socket would be read no further, and nobody reads here yet.
    if (chunk) return hold.take(chunk) || end(refuseBodyForNow, chunk);
    push(hold.release());
    push(null);
    handOn();
    return false;
  };
  if (hold) request.once("close", hold.release);
  else handOn();
}

/** Whether there is room for so many bytes of the body that `response` is to answer. */
function roomFor(response: ServerResponse): (bytes: number) => boolean {
  let taken = 0;
  response.once("close", () => roomForHandedOn.giveBack(taken));
  return (bytes) => {
    const more = Math.max(0, bytes - WORDS_BYTES) - taken;
    // What comes after the answer is dropped.
    if (more <= 0 || response.closed) return true;
    if (!roomForHandedOn.take(more)) return false;
    taken += more;
    return true;
  };
}

/** Whether Next takes in as much of its body as comes: where that has no stated length. Of a GET and a HEAD it takes in none. */
function isTakenInWhole({ method = "GET", headers }: IncomingMessage): boolean {
  return !["GET", "HEAD"].includes(method) && headers["content-length"] === undefined && headers["transfer-encoding"] !== undefined;
}

/** How long the body may be that is sent to this address, in bytes. */
export function maxBodyBytes({ url = "/" }: IncomingMessage): number {
  return TAKES_PICTURES.test(url) ? MAX_PICTURE_FORM_BYTES : MAX_BODY_BYTES;
}
