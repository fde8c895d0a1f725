import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests a connection may have sent ahead of their answers. Browsers send none, load balancers few. */
const MAX_AHEAD = 10;

/**
 * Hands on a connection's requests one after another (RFC 9112 §9.3.2 has their answers in order anyway): the next begins when the answer before is
 * out. Else one connection could have thousands of pages made at once, and, where it ends early, their answers would never be let go.
 */
export function oneAtATime(handle: Handle): Handle {
  const ahead = new WeakMap<Socket, (() => void)[]>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once("close", () => {
      // Whoever gave up reading it leaves the rest on the connection, and nothing behind that would ever be read.
      if (request.destroyed && !request.complete) socket.destroySoon();
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
