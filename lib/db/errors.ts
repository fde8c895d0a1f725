/** The parts of an error that tell what happened, whichever of Prisma, its adapters, the driver or the engine made it. */
type DatabaseError = { code?: unknown; severity?: string; message?: unknown; cause?: unknown; meta?: { driverAdapterError?: { cause?: DriverCause } } };
type DriverCause = { kind?: string; severity?: string; code?: string; originalCode?: string; constraint?: { fields?: string[]; index?: string } };

/** Operating system codes of a connection that could not be made or was lost. */
const SOCKET_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Prisma's own codes of that kind (prisma.io/docs/orm/reference/error-reference): P10xx, pool time-out, transaction not begun in time, a write conflict or deadlock, too many connections. */
const PRISMA_UNAVAILABLE = /^(P10\d\d|P2024|P2028|P2034|P2037)$/;

/** The adapter's own names of the same (`convertDriverError` of @prisma/adapter-pg), which are all that is left of them in a failed `$queryRaw`. */
const KINDS_UNAVAILABLE = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
  "TransactionWriteConflict",
]);

/**
 * PostgreSQL's (Appendix A): lost connections, no writes just now (as hosts set a server whose disk fills, or a stand-by that is not yet promoted),
 * a transaction that was left waiting for too long, as where the server or this process stood still, a database that is gone, as while another is put
 * into its place, a write conflict or deadlock, no room or memory, no lock in time, cancelled by a time limit, shutting down.
 */
const SQL_UNAVAILABLE = /^(08\w{3}|25006|25P0[34]|3D000|40001|40P01|53\w{3}|55P03|57014|57P0[1-5]|58030)$/;

/**
 * What PostgreSQL says as FATAL to whoever it lets begin no session, and otherwise of much else: the database takes no connections (`object_not_in_prerequisite_state`),
 * or the disk has no room for what the server keeps for new sessions (`internal_error`: `write_relcache_init_file`). The driver gives that word translated: not every
 * server is understood.
 */
const NO_SESSION = new Set<unknown>(["55000", "XX000"]);

const INSUFFICIENT_PRIVILEGE = "42501";

/** What `pg`, PGlite and pg-boss's listener say without any code. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after|PGlite is clos|LISTEN\/NOTIFY (connection ended|heartbeat timed out|channel registration was lost))/;

/**
 * Whether `error` says that a row with such a unique value exists already; with `field`, only if that column is part of the index.
 */
export function isDuplicate(error: unknown, field?: string): boolean {
  const cause = driverCause(error);
  if (cause?.kind !== "UniqueConstraintViolation") return false;
  if (field === undefined) return true;
  return cause.constraint?.fields?.some((name) => name.replaceAll('"', "") === field) ?? false;
}

/** Whether `error` says that the database cannot be reached or is too busy, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as DatabaseError;
  const sqlState = sqlStateOf(error);
  const kind = driverCause(error)?.kind;
  return (
    (kind !== undefined && KINDS_UNAVAILABLE.has(kind)) ||
    (typeof code === "string" && (SOCKET_CODES.has(code) || PRISMA_UNAVAILABLE.test(code))) ||
    (typeof sqlState === "string" && SQL_UNAVAILABLE.test(sqlState)) ||
    (NO_SESSION.has(sqlState) && severityOf(error) === "FATAL") ||
    (typeof message === "string" && UNAVAILABLE_MESSAGES.test(message))
  );
}

/** Whether `error` says that the user by whom the database is reached may not do that there. */
export function isDenied(error: unknown): boolean {
  return sqlStateOf(error) === INSUFFICIENT_PRIVILEGE;
}

function sqlStateOf(error: unknown): unknown {
  const cause = driverCause(error);
  return cause?.originalCode ?? cause?.code ?? (error as DatabaseError | undefined)?.code;
}

function severityOf(error: unknown): string | undefined {
  return driverCause(error)?.severity ?? (error as DatabaseError | undefined)?.severity;
}

/** What the adapter reported: inside Prisma's error, or bare, as when a COMMIT fails. */
function driverCause(error: unknown): DriverCause | undefined {
  const { meta, cause } = (error ?? {}) as DatabaseError;
  return meta?.driverAdapterError?.cause ?? (cause as DriverCause | undefined);
}
