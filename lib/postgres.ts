import { PrismaPg } from "@prisma/adapter-pg";
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import pg from "pg";
import { parse } from "pg-connection-string";
import { hearOwnChanges } from "./changes.ts";
import { env } from "./env.ts";
import { log } from "./log.ts";
import { PatientPool } from "./postgres/patient-pool.ts";
import { endSilentConnections } from "./postgres/silence.ts";
import { TimelyClient } from "./postgres/timely-client.ts";
import { StartupError } from "./startup-error.ts";

const MINIMUM_MAJOR = 15;
/** All processes of one start together, as far as `MIN_POOL_SIZE` lets them: with the jobs' own connections 8 stay below the 97 that PostgreSQL lets in by default. */
const POOLED_CONNECTIONS = 40;
const MAX_POOL_SIZE = 10;
const MIN_POOL_SIZE = 4;
/** A connection of no pool that takes longer to be made is given up. */
const CONNECT_ALONE_WITHIN_MS = 1300;
const STATEMENT_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 3000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** UTC, because the Prisma adapter sends timestamps without a zone; ISO, because it reads no other; `public`, because Prisma names that schema in its queries; strings as the standard has them, because all who write SQL here do. */
const SESSION_OPTIONS = "-c TimeZone=UTC -c DateStyle=ISO -c standard_conforming_strings=on -c search_path=public";
const NO_TIME_LIMITS = "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c idle_session_timeout=0";

/** What an address says of a server and how to speak with it. Other parameters, such as another client's `schema`, would be taken for options of whoever connects. */
const OF_SERVERS: string[] = ["host", "port", "user", "password", "database", "ssl", "sslnegotiation", "application_name", "options"];

/**
 * The server that `url` names, as every connection to it is to be made. The certificates' files are read here, once: one that goes later keeps nobody out.
 * @throws StartupError if one of them cannot be read
 */
export function readServer(url: string): pg.ClientConfig {
  try {
    // As `pg` itself parses it: the library's own `parseIntoClientConfig` would take `ssl=no-verify` for no TLS.
    return Object.fromEntries(Object.entries(parse(url)).filter(([name, value]) => OF_SERVERS.includes(name) && value !== null && value !== ""));
  } catch (error) {
    const { path, code, syscall } = error as NodeJS.ErrnoException;
    if (!syscall) throw error;
    const what = [path, code].filter(Boolean).join(": ");
    throw new StartupError(`DATABASE_URL names a file that cannot be read (${what}): correct its sslrootcert, sslcert or sslkey.`, { cause: error });
  }
}

/** A pool of connections that gives up rather than hang. Nothing is connected until the first query. */
export function createPool(server: pg.ClientConfig): pg.Pool {
  const pool = new PatientPool({
    max: Math.min(MAX_POOL_SIZE, Math.max(MIN_POOL_SIZE, Math.floor(POOLED_CONNECTIONS / env().WORKERS))),
    Client: TimelyClient,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: "heard",
    keepAlive: true,
    onConnect: hearOwnChanges,
    ...server,
    options: sessionOptions(server),
  });
  endSilentConnections(pool, () => pool.noteSilence());
  // An idle connection that the server ended is replaced by itself; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "A connection to PostgreSQL was lost."));
  return pool;
}

/** One connection of no pool, on the terms of `createPool` but with `unlimitedOptions`. */
export function createConnection(server: pg.ClientConfig, limits: Pick<pg.ClientConfig, "query_timeout"> = {}): pg.Client {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_ALONE_WITHIN_MS,
    application_name: "heard",
    ...server,
    options: unlimitedOptions(server),
    ...limits,
  });
  client.on("error", (error) => log.warn({ err: error }, "A connection to PostgreSQL was lost."));
  return client;
}

/** What DATABASE_URL asks for, and behind it, where PostgreSQL heeds it, what Heard relies on. */
function sessionOptions({ options = "" }: pg.ClientConfig): string {
  return `${options} ${SESSION_OPTIONS}`.trim();
}

/** The same for work that may take long, without the time limits that the server, the role or DATABASE_URL may set; `transaction_timeout`, which PostgreSQL has from 17 on, is not among them. */
export function unlimitedOptions(server: pg.ClientConfig): string {
  return `${sessionOptions(server)} ${NO_TIME_LIMITS}`;
}

/**
 * Returns if the server behind `pool` answers and is fit for Heard.
 * @throws StartupError saying what is wrong with it or with DATABASE_URL
 */
export async function checkServer(pool: pg.Pool): Promise<void> {
  const server = await askServer(pool).catch((error: unknown) => {
    throw unfit(pool.options, error as Partial<pg.DatabaseError>);
  });
  if (!server) return;
  if (server.major < MINIMUM_MAJOR)
    throw new StartupError(
      `The PostgreSQL server is version ${server.version}, and Heard needs ${MINIMUM_MAJOR} or newer: upgrade it, or point DATABASE_URL at another one.`,
    );
  if (server.encoding !== "UTF8")
    throw new StartupError(
      `The PostgreSQL database is encoded in ${server.encoding}, which cannot hold every script: create one with ENCODING 'UTF8' and point DATABASE_URL at it.`,
    );
}

type Server = { version: string; major: number; encoding: string };

async function askServer(pool: pg.Pool): Promise<Server | undefined> {
  const { rows } = await pool.query<Server>(
    `SELECT current_setting('server_version') AS "version", current_setting('server_version_num')::int / 10000 AS "major", current_setting('server_encoding') AS "encoding"`,
  );
  return rows[0];
}

function unfit(address: pg.ClientConfig, error: Partial<pg.DatabaseError>): StartupError {
  const { host, port, user, database } = new pg.Client(address);
  const server = `The PostgreSQL server at ${host}:${port}`;
  const reason = error.message || error.code;
  if (error.code === "3D000") return new StartupError(`${server} has no database "${database}": create it, or correct DATABASE_URL.`, { cause: error });
  if (error.code?.startsWith("28") && !user)
    return new StartupError(`${server} asks who comes, and DATABASE_URL names no user: write it as postgresql://USER@….`, { cause: error });
  if (error.code?.startsWith("28"))
    return new StartupError(`${server} does not let in the user "${user}" (${reason}): check user and password in DATABASE_URL.`, { cause: error });
  if (error.code === "57P03") return new StartupError(`${server} lets nobody in just now (${reason}): start Heard again in a moment.`, { cause: error });
  if (error.code === "53300")
    return new StartupError(`${server} has no connection left for this site (${reason}): raise what it allows, or end some of those that hold them.`, {
      cause: error,
    });
  if (/password must be a string/.test(reason ?? ""))
    return new StartupError(`${server} asks the user "${user}" for a password, and DATABASE_URL has none: write it as postgresql://${user}:PASSWORD@….`, {
      cause: error,
    });
  if (error.code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return new StartupError(`${server} shows a certificate that is made out to another name (${reason}): put that into DATABASE_URL.`, { cause: error });
  if (/certificate/i.test(reason ?? ""))
    return new StartupError(
      `${server} shows a certificate that is not trusted here (${reason}): name the one that signed it in DATABASE_URL, as &sslrootcert=FILE, or take it unchecked with sslmode=no-verify.`,
      { cause: error },
    );
  if (/does not support SSL/.test(reason ?? ""))
    return new StartupError(
      `${server} does not speak TLS, which DATABASE_URL asks for: take what asks for it (sslmode, ssl, a certificate) out, or switch TLS on there.`,
      { cause: error },
    );
  return new StartupError(`${server} cannot be reached (${reason}): check DATABASE_URL, and that the server is running.`, { cause: error });
}

/**
 * `@prisma/adapter-pg` 7.10.0, mended in two places: a COMMIT that PostgreSQL turns into a ROLLBACK, because a statement had failed,
 * is an error and not a success; and a unique violation names its columns, as on the embedded database, and not only its index.
 */
export class PostgresAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    return nameColumns(
      Object.assign(adapter, { startTransaction: async (level?: IsolationLevel) => failOnRollback(nameColumns(await startTransaction(level))) }),
    );
  }
}

/**
 * The adapter on `client` alone, for Prisma's schema engine. It runs scripts whole: that of `@prisma/adapter-pg` 7.10.0 cuts them at every semicolon,
 * inside a function's body as well.
 */
export function adapterOn(client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(new pg.Pool());
  const connect = async () => {
    const adapter = await factory.connect();
    const executeScript = async (script: string) =>
      void (await client.query(script).catch((error: unknown) => (adapter as unknown as Internals).onError(error)));
    return Object.assign(adapter, { client, executeScript, dispose: async () => {} });
  };
  return Object.assign(Object.create(factory), { connect });
}

/** What the adapter's classes have beside their public type. */
type Internals = { performIO(query: SqlQuery): Promise<pg.QueryResult>; onError(error: unknown): never };

function nameColumns<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const internals = queryable as Queryable & Internals;
  const onError = internals.onError.bind(queryable);
  internals.onError = (error) => {
    try {
      return onError(error);
    } catch (mapped) {
      const cause = (mapped as Partial<DriverAdapterError>).cause;
      // The sentence around it is in the server's language: Key ("boardId", url)=(…) already exists.
      const columns = /\(([^)]+)\)=\(/.exec((error as pg.DatabaseError).detail ?? "")?.[1];
      if (cause?.kind === "UniqueConstraintViolation" && columns) cause.constraint = { fields: columns.split(", ") };
      throw mapped;
    }
  };
  return queryable;
}

function failOnRollback(transaction: Transaction): Transaction {
  const executeRaw = transaction.executeRaw.bind(transaction);
  return Object.assign(transaction, {
    async executeRaw(query: SqlQuery) {
      if (query.sql !== "COMMIT") return executeRaw(query);
      const { command } = await (transaction as Transaction & Internals).performIO(query);
      if (command === "ROLLBACK") throw new DriverAdapterError(ROLLED_BACK);
      return 0;
    },
  });
}

const ROLLED_BACK = {
  kind: "postgres",
  code: "25P02",
  severity: "ERROR",
  message: "Transaction was rolled back instead of committed",
  detail: undefined,
  column: undefined,
  hint: undefined,
} as const;
