import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_PICTURE_FORM_BYTES } from "./bodies.ts";

/** How long the rest of a body that nobody reads any more may take to arrive, in milliseconds. */
const REST_WITHIN_MS = 1000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * How many requests a connection may have sent ahead of their answers. Browsers send none, load balancers few. Who sends more is hung up on at once, before what is under way is
 * answered: until the connection ends Node goes on taking in what comes.
 */
const MAX_AHEAD = 10;

/**
 * Hands on a connection's requests one after another (RFC 9112 §9.3.2 has their answers in order anyway): the next begins when the answer before is
 * out. Else one connection could have thousands of pages made at once, and, where it ends early, their answers would never be let go.
 */
export function oneAtATime(handle: Handle): Handle {
  const ahead = new WeakMap<Socket, (() => void)[]>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Asked now: what is answered to everybody loses its caller's headers on the way.
    const isWithoutEnd = isEndless(request);
    response.once("close", () => {
      if (!request.complete && (request.destroyed || isWithoutEnd)) endUnlessRead(request, socket);
      const next = socket.destroyed ? undefined : ahead.get(socket)?.shift();
      if (next) next();
      else ahead.delete(socket);
    });
    handle(request, response);
  }

  return (request, response) => {
    const waiting = ahead.get(request.socket);
    if (!waiting) {
      ahead.set(request.socket, []);
      begin(request, response);
    } else if (waiting.length < MAX_AHEAD) waiting.push(() => begin(request, response));
    else request.socket.destroy();
  };
}

/** Whether nobody says how long its body is, or it is to be longer than any address takes. Of one that was answered Node takes in as much as comes. */
function isEndless({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_PICTURE_FORM_BYTES;
}

/**
 * Whoever gives up reading a body (Node's `pipeline` and web streams then detach it from its connection) leaves a large one lying there, and nothing
 * behind it would ever be read. The rest of a small one has mostly arrived, and its connection goes on.
 */
function endUnlessRead(request: IncomingMessage, socket: Socket): void {
  setTimeout(() => request.complete || socket.destroySoon(), REST_WITHIN_MS).unref();
}
