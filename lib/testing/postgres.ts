import pg from "pg";

/** Runs one statement on `server`, outside of any database that a test uses. */
export async function runOn(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** The address of another database on the same server. */
export function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The name of the database that an address leads to. */
export function databaseIn(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Makes a database under a name of its own, with what `CREATE DATABASE` is to be told besides, and returns its address. */
export async function createDatabase(server: string, options = ""): Promise<string> {
  const name = `heard_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await runOn(server, `CREATE DATABASE "${name}" ${options}`);
  return withDatabase(server, name);
}

/** Removes the database that an address leads to, with whoever is connected. */
export function dropDatabase(url: string): Promise<void> {
  return runOn(withDatabase(url, "postgres"), `DROP DATABASE IF EXISTS "${databaseIn(url)}" WITH (FORCE)`);
}
