import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { StartupError } from "#lib/startup-error";

// A crowd that comes at once waits to be let in; past Node's 511 it would try again seconds later. The kernel may hold this to less.
const BACKLOG = 2048;

/**
 * Has `server` listen.
 * @throws StartupError if the port or the host cannot be had
 */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenProblem(error, host, port)));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** A port of `host` that nobody listens on just now; 0 where there is none, which listening will say more of. */
export function freePort(host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(0));
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") return new StartupError(`Port ${port} on ${host} is taken: stop what uses it, or choose another with PORT=${port + 1}.`);
  if (error.code === "EACCES") return new StartupError(`Port ${port} may not be used by this user: choose one from 1024 up, such as PORT=3000.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new StartupError(`HOST=${host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses.`);
  return error;
}
