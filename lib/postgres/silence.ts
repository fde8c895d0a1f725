import { connect } from "node:net";
import pg from "pg";
import { log } from "../log.ts";
import { isAtWork } from "./backend.ts";

/** How long a connection is in use before the server is asked whether it still answers, and then how long it has: together below 2 s. */
const PATIENCE_MS = 600;
const ANSWER_WITHIN_MS = 600;
const SLICE_MS = 50;
/** After so long without an answer to a question the server is asked whether it is still at work on it: longer than a statement may take (`statement_timeout` of `createPool`) and its way. */
const LOST_AFTER_MS = 7000;
/** An SSLRequest: its length, and the number that says so (PostgreSQL's protocol, "Message Formats"). A server answers it with one byte, before it asks who is there. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** What `pg` has beside its public type: the number of the server's process, and the question that has no answer yet. */
type Internals = pg.ClientBase & { connection: { stream: { destroy(): void } }; processID: number; _getActiveQuery(): object | null };

/** How much work goes on that may take longer than a statement of a request. */
let leisurely = 0;

/** Runs `work`, whose statements have no time limit: as long as the server is at work on one, its connection is not taken for a silent one. */
export async function withoutHaste<Result>(work: () => Promise<Result>): Promise<Result> {
  leisurely++;
  return work().finally(() => leisurely--);
}

/**
 * Ends those of the pool's connections that are in use on a server that answers nobody any more, as behind a network that swallows what is sent, and those that it answers no more
 * alone, as behind a firewall that has forgotten them: TCP alone would wait for minutes. What takes long on a server that is at work goes on until its own time limit.
 * `onSilence` hears of a server that answers nobody.
 */
export function endSilentConnections(pool: pg.Pool, onSilence: () => void = () => {}): void {
  const watches = new Map<pg.PoolClient, NodeJS.Timeout>();
  const questions = new WeakMap<pg.PoolClient, { question: object | null; askedAt: number }>();
  let answering: Promise<boolean> | undefined;

  async function look(client: pg.PoolClient): Promise<void> {
    const looking = watches.get(client);
    answering ??= isAnswering(pool.options).finally(() => {
      answering = undefined;
    });
    const isServerSilent = !(await answering);
    if (isServerSilent) onSilence();
    const isSilent = isServerSilent || (await isLost(client));
    // Given back meanwhile, and perhaps taken again: then another look is due.
    if (watches.get(client) !== looking) return;
    if (!isSilent) return watch(client);
    log.warn("PostgreSQL does not answer: a connection that waits for it is ended.");
    cutConnection(client);
  }

  /** Whether what was asked long ago is not being worked on. */
  async function isLost(client: pg.PoolClient): Promise<boolean> {
    const { processID, _getActiveQuery } = client as unknown as Internals;
    const question = _getActiveQuery.call(client);
    const last = questions.get(client);
    if (last?.question !== question) questions.set(client, { question, askedAt: performance.now() });
    if (!question || last?.question !== question || performance.now() - last.askedAt < LOST_AFTER_MS) return false;
    const mayTake = leisurely > 0 ? Number.POSITIVE_INFINITY : LOST_AFTER_MS;
    if ((await isAtWork(pool.options, processID, mayTake)) === false) return _getActiveQuery.call(client) === question;
    questions.set(client, { question, askedAt: performance.now() });
    return false;
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
