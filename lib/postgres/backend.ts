import pg from "pg";

const ASK_WITHIN_MS = 1000;

/** What the server knows of the process that serves a connection. */
type Backend = { ownPid: number; pid: number | null; state: string | null; isWaitingForUs: boolean; sinceMs: number | null };

/**
 * Whether the server's process behind a connection is at work on what it was asked at most `withinMs` ago. Null where nobody can know that: something between numbers connections by
 * itself, the server keeps no account (`track_activities`), or lets nobody in to ask.
 */
export async function isAtWork(server: pg.ClientConfig, pid: number, withinMs: number): Promise<boolean | null> {
  const client = new pg.Client({ ...server, connectionTimeoutMillis: ASK_WITHIN_MS, query_timeout: ASK_WITHIN_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Backend>(
      `SELECT pg_backend_pid() AS "ownPid", pid, state, wait_event_type IS NOT DISTINCT FROM 'Client' AS "isWaitingForUs",
        extract(epoch FROM clock_timestamp() - query_start)::float8 * 1000 AS "sinceMs"
       FROM (SELECT) AS always LEFT JOIN pg_stat_activity ON pid = $1`,
      [pid],
    );
    return judge(rows[0], (client as unknown as { processID: number }).processID, withinMs);
  } catch {
    return null;
  } finally {
    // Not waited for: a server that fell silent meanwhile takes no farewell.
    void client.end().catch(() => {});
  }
}

function judge(backend: Backend | undefined, ownPid: number, withinMs: number): boolean | null {
  if (!backend || backend.ownPid !== ownPid || backend.state === "disabled") return null;
  return backend.state === "active" && !backend.isWaitingForUs && (backend.sinceMs ?? 0) <= withinMs;
}
