import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "./db/connection.ts";
import { openDriverOf } from "./db.ts";
import { checkServer, createConnection, createPool, readServer } from "./postgres.ts";
import { reportBar } from "./testing/bars.ts";

const server = process.env.TEST_DATABASE_URL ?? "";
/** PostgreSQL's own code (Appendix A). */
const QUERY_CANCELED = "57014";

test.runIf(server)("a certificate's file that goes later keeps nobody out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "heard-certificate-"));
  const certificate = join(folder, "root.pem");
  writeFileSync(certificate, "");
  const settings = {
    DATABASE_URL: `${server}?${new URLSearchParams({ sslmode: "disable", sslrootcert: certificate })}`,
    DATA_DIR: "",
  };
  const driver = await openDriverOf(settings);
  onTestFinished(() => driver.close());

  rmSync(folder, { recursive: true });

  await expect(driver.kind === "postgresql" && driver.pool.query("SELECT 1")).resolves.toBeTruthy();
  const connection = await openConnection(driver);
  await connection.close();
  await expect(openDriverOf(settings)).rejects.toMatchObject({
    message: expect.stringContaining(`names a file that cannot be read (${certificate}: ENOENT)`),
  });
});

test("of an address only what names a server counts: the rest is another client's", () => {
  expect(
    readServer("postgresql://heard:h%2Fsh@db.example.com:5433/board?application_name=night&sslnegotiation=postgres&schema=public&max=1&pgbouncer=true"),
  ).toEqual({
    host: "db.example.com",
    port: "5433",
    user: "heard",
    password: "h/sh",
    database: "board",
    application_name: "night",
    sslnegotiation: "postgres",
  });
});

test.runIf(server)("what an address asks for in options is heeded beside what Heard relies on", async () => {
  const url = `${server}?${new URLSearchParams({ options: "-c geqo=off -c TimeZone=Asia/Tokyo -c DateStyle=German -c standard_conforming_strings=off -c search_path=elsewhere" })}`;
  const pool = createPool(readServer(url));
  const connection = createConnection(readServer(url));
  onTestFinished(async () => void (await Promise.all([pool.end(), connection.end()])));
  await connection.connect();

  for (const client of [pool, connection]) {
    const { rows } = await client.query(
      "SELECT current_setting('geqo') AS geqo, current_setting('TimeZone') AS zone, split_part(current_setting('DateStyle'), ',', 1) AS dates, current_setting('standard_conforming_strings') AS strings, current_setting('search_path') AS path",
    );
    expect(rows).toEqual([{ geqo: "off", zone: "UTC", dates: "ISO", strings: "on", path: "public" }]);
  }
});

test.runIf(server)("F2: a statement of a visit's is ended after 5 s, a wait for a lock sooner", async () => {
  const pool = createPool(readServer(server));
  onTestFinished(() => pool.end());

  const { rows } = await pool.query("SELECT name, setting::int AS ms FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout')");
  const limits = Object.fromEntries(rows.map(({ name, ms }) => [name, ms]));
  const askedAt = performance.now();
  const end = await pool.query("SELECT pg_sleep(20)").catch((error: { code: string }) => error.code);

  const ok = end === QUERY_CANCELED && limits.statement_timeout === 5000;
  const figure = Math.round(performance.now() - askedAt);
  reportBar({ bar: "F2", measure: "a statement of 20 s: ended after, ms", figure, ok });
  expect(end).toBe(QUERY_CANCELED);
  expect(limits.statement_timeout).toBe(5000);
  expect(limits.lock_timeout).toBeGreaterThan(0);
  expect(limits.lock_timeout).toBeLessThan(5000);
});

test.runIf(server)("no time limit that is set for everybody ends long work", async () => {
  const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"];
  const options = limits.map((name) => `-c ${name}=3s`).join(" ");
  const driver = await openDriverOf({ DATABASE_URL: `${server}?${new URLSearchParams({ options })}`, DATA_DIR: "" });
  const { execute, close } = await openConnection(driver);
  onTestFinished(async () => {
    await close();
    await driver.close();
  });

  const left = await execute<{ name: string }>("SELECT name FROM pg_settings WHERE name LIKE '%\\_timeout' AND setting <> '0' ORDER BY name");

  expect(left.map(({ name }) => name).filter((name) => [...limits, "transaction_timeout"].includes(name))).toEqual([]);
});

test("a certificate's file that is a folder is told like one that is not there", () => {
  expect(() => readServer(`postgresql://db.example.com/board?sslrootcert=${tmpdir()}`)).toThrow(
    "names a file that cannot be read (EISDIR): correct its sslrootcert",
  );
});

test("a server that is starting up is told apart from one that is not there", async () => {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up", ""].map((field) => `${field}\0`).join("");
  const refusal = Buffer.from(`E....${fields}`);
  refusal.writeInt32BE(refusal.length - 1, 1);
  const startingUp = createServer((socket) => void socket.once("data", () => socket.end(refusal)).on("error", () => {}));
  await new Promise<void>((resolve) => startingUp.listen(0, "127.0.0.1", resolve));
  const { port } = startingUp.address() as AddressInfo;
  const pool = createPool(readServer(`postgresql://heard@127.0.0.1:${port}/board`));
  onTestFinished(async () => {
    await pool.end();
    startingUp.close();
  });

  await expect(checkServer(pool)).rejects.toThrow(
    `The PostgreSQL server at 127.0.0.1:${port} lets nobody in just now (the database system is starting up): start Heard again in a moment.`,
  );
});

test.each(["ssl=no-verify", "ssl=1", "ssl=true", "sslmode=no-verify", "sslmode=verify-full"])("%s asks for TLS", (parameter) => {
  expect(new pg.Client(readServer(`postgresql://db.example.com/board?${parameter}`))).toMatchObject({ ssl: expect.toSatisfy(Boolean) });
});

test.each(["", "?ssl=0", "?sslmode=disable"])("an address with %j asks for none", (parameters) => {
  expect(new pg.Client(readServer(`postgresql://db.example.com/board${parameters}`))).toMatchObject({ ssl: false });
  // Not left to PGSSLMODE.
  if (parameters) expect(readServer(`postgresql://db.example.com/board${parameters}`)).toMatchObject({ ssl: false });
});
