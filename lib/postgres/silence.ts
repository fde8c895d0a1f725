import { connect } from "node:net";
import pg from "pg";
import { log } from "../log.ts";

/** How long a connection is in use before the server is asked whether it still answers, and then how long it has: together below 2 s. */
const PATIENCE_MS = 600;
const ANSWER_WITHIN_MS = 600;
const SLICE_MS = 50;
/** An SSLRequest: its length, and the number that says so (PostgreSQL's protocol, "Message Formats"). A server answers it with one byte, before it asks who is there. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** What `pg` has beside its public type. */
type Internals = pg.ClientBase & { connection: { stream: { destroy(): void } } };

/**
 * Ends those of the pool's connections that are in use on a server that answers nobody any more, as behind a network that swallows
 * what is sent: TCP alone would wait for minutes. What takes long on a server that answers goes on until its own time limit.
 */
export function endSilentConnections(pool: pg.Pool): void {
  const watches = new Map<pg.PoolClient, NodeJS.Timeout>();
  let answering: Promise<boolean> | undefined;

  async function look(client: pg.PoolClient): Promise<void> {
    const looking = watches.get(client);
    answering ??= isAnswering(pool.options).finally(() => {
      answering = undefined;
    });
    const isSilent = !(await answering);
    // Given back meanwhile, and perhaps taken again: then another look is due.
    if (watches.get(client) !== looking) return;
    if (!isSilent) return watch(client);
    log.warn("PostgreSQL does not answer: a connection that waits for it is ended.");
    cutConnection(client);
  }

  function watch(client: pg.PoolClient): void {
    watches.set(
      client,
      setTimeout(() => void look(client), PATIENCE_MS),
    );
  }

  function unwatch(client: pg.PoolClient): void {
    clearTimeout(watches.get(client));
    watches.delete(client);
  }

  pool.on("acquire", watch);
  pool.on("release", (_error, client) => unwatch(client));
}

/** Ends a connection at once, without the farewell that a silent server would never take. */
export function cutConnection(client: pg.ClientBase): void {
  (client as Internals).connection.stream.destroy();
}

/** Whether the server says anything at all to whoever connects, and soon. */
export async function isAnswering(server: pg.ClientConfig): Promise<boolean> {
  const { host, port } = new pg.Client(server);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  return new Promise((resolve) => {
    const conclude = (isAnswered: boolean) => {
      stop();
      socket.destroy();
      resolve(isAnswered);
    };
    const stop = afterTurns(ANSWER_WITHIN_MS, () => conclude(false));
    for (const event of ["data", "end"]) socket.once(event, () => conclude(true));
    socket.once("error", () => conclude(false));
    socket.write(SSL_REQUEST);
  });
}

/** Acts after a time that is counted in turns of this process, unless called off: what has arrived while it was busy is read before the time is over. Returns what calls it off. */
export function afterTurns(ms: number, act: () => void): () => void {
  let waitedMs = 0;
  const timer = setInterval(() => {
    waitedMs += SLICE_MS;
    if (waitedMs < ms) return;
    clearInterval(timer);
    act();
  }, SLICE_MS).unref();
  return () => clearInterval(timer);
}
