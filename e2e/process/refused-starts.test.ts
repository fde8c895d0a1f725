import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { createDatabase, databaseIn, dropDatabase, runOn } from "#lib/testing/postgres";
import { isFullScale, isToldHere } from "#lib/testing/scale";
import { selfSignedCertificate } from "#lib/testing/smtp";
import { copyCheckout } from "#scripts/testing/copy";
import { startServer } from "../server.ts";
import { startCluster } from "./own-cluster.ts";
import { type Ended, runToEnd } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "heard-start-"));
const file = join(folder, "a-file");
const untouched = join(folder, "untouched");
const { port: takenPort } = new URL(inject("site").url);
const slowest: Record<string, number> = {};
const MAX_MS = 3000;
writeFileSync(file, "");
const oddDatabase = join(folder, "odd-database");
mkdirSync(oddDatabase);
writeFileSync(join(oddDatabase, "db"), "");
const oddVersion = join(folder, "odd-version");
mkdirSync(join(oddVersion, "db/PG_VERSION"), { recursive: true });
const oddSocket = join(folder, "odd-socket");
mkdirSync(join(oddSocket, "heard.sock"), { recursive: true });

afterAll(() => {
  const slowestMs = Math.max(...Object.values(slowest));
  report(`slowest of ${Object.keys(slowest).length} refused starts, ms`, slowestMs);
  rmSync(folder, { recursive: true });
  if (isFullScale) expect(slowestMs).toBeLessThanOrEqual(MAX_MS);
});

function report(measure: string, ms: number): void {
  reportBar({ bar: "F8", measure, figure: ms, ok: ms <= MAX_MS });
}

async function refusedStart(env: Record<string, string>): Promise<Ended> {
  const ended = await runToEnd("front/main.ts", { PORT: "0", DATA_DIR: join(folder, "data"), ...env });
  slowest[JSON.stringify(env)] = ended.ms;
  return ended;
}

// Each sentence has to say what is wrong, and what to change.
const cases: [string, Record<string, string>, RegExp[]][] = [
  ["a taken port", { PORT: takenPort, DATA_DIR: untouched }, [new RegExp(`Port ${takenPort} .*is taken`), new RegExp(`PORT=${Number(takenPort) + 1}`)]],
  ["a host that is not here", { HOST: "192.0.2.1", DATA_DIR: untouched }, [/HOST=192\.0\.2\.1 is no address of this machine/, /127\.0\.0\.1/]],
  ["a data directory that is a file", { DATA_DIR: file }, [/is not a folder/, /DATA_DIR/]],
  ["a data directory below a file", { DATA_DIR: join(file, "data") }, [/is not a folder/, /DATA_DIR/]],
  ["a database that is a file", { DATA_DIR: oddDatabase }, [/odd-database\/db cannot be used \(ENOTDIR/, /give this user all/, /DATA_DIR/]],
  ["a socket that is a folder", { DATA_DIR: oddSocket }, [/odd-socket\/heard\.sock cannot be used \(/, /remove what Heard did not write/]],
  ["a database whose version is a folder", { DATA_DIR: oddVersion }, [/odd-version\/db holds something that is not Heard's database/, /DATA_DIR/]],
  [
    "a PostgreSQL that is not there",
    { DATABASE_URL: "postgresql://heard:hush@127.0.0.1:1/heard", DATA_DIR: untouched },
    [/PostgreSQL server at 127\.0\.0\.1:1 cannot be reached/, /DATABASE_URL/],
  ],
  [
    "a certificate's file that is not there",
    { DATABASE_URL: "postgresql://heard:hush@127.0.0.1:1/heard?sslmode=verify-full&sslrootcert=/nowhere/root.pem", DATA_DIR: untouched },
    [/DATABASE_URL names a file that cannot be read \(\/nowhere\/root\.pem: ENOENT\)/, /sslrootcert/],
  ],
  ["two mail transports", { SMTP_URL: "smtp://localhost", RESEND_API_KEY: "re_1", DATA_DIR: untouched }, [/MAIL must say which one/]],
];

test.runIf(isToldHere).each(cases)("%s is refused with one sentence and exit code 1", async (_name, env, sentences) => {
  const { code, output } = await refusedStart(env);

  expect([code, output]).toEqual([1, expect.stringMatching(/^Heard cannot start/m)]);
  for (const sentence of sentences) expect(output).toMatch(sentence);
  expect(output).not.toMatch(/\n\s+at |hush|re_1/);
});

test.skipIf(process.env.TEST_DATABASE_URL)("a data directory that another Heard has open is refused, and the other goes on", async () => {
  const server = await startServer({ template: inject("databaseTemplate") });
  onTestFinished(server.remove);

  const { code, output } = await refusedStart({ DATA_DIR: server.dataDir });

  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`^Heard cannot start\\. .*is in use by another Heard \\(process ${server.pid} .*stop that one first, or give this one a DATA_DIR`, "m"),
    ),
  ]);
  expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
});

test.runIf(process.env.TEST_DATABASE_URL)("a PostgreSQL without that database is refused, naming it", async () => {
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  url.pathname = "/heard_is_not_here";

  const { code, output } = await refusedStart({ DATABASE_URL: url.href });

  expect([code, output]).toEqual([1, expect.stringMatching(/has no database "heard_is_not_here": create it, or correct DATABASE_URL/)]);
});

test.runIf(process.env.TEST_DATABASE_URL)("a PostgreSQL database in which its user may make nothing is refused, saying how to give it to them", async () => {
  const { name, url } = await databaseOfAnother();

  const { code, output } = await refusedStart({ DATABASE_URL: url });

  expect([code, output]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^Heard cannot start\\. In the database "${name}" the user "${name}" may not .*ALTER DATABASE "${name}" OWNER TO`, "m")),
  ]);
  expect(output).not.toMatch(/\n\s+at |hush/);
});

test.runIf(process.env.TEST_DATABASE_URL)("a PostgreSQL whose connections are all taken is refused, saying so", async () => {
  const { name, url } = await databaseOfAnother();
  await runOn(process.env.TEST_DATABASE_URL ?? "", `ALTER ROLE "${name}" CONNECTION LIMIT 0`);

  const { code, output } = await refusedStart({ DATABASE_URL: url });

  expect([code, output]).toEqual([1, expect.stringMatching(/has no connection left for this site \(too many connections.*\): raise what it allows/)]);
  expect(output).not.toMatch(/\n\s+at |hush/);
});

/** A database, and the address at which a user of the same `name` reaches it who does not own it. */
async function databaseOfAnother(): Promise<{ name: string; url: string }> {
  const server = process.env.TEST_DATABASE_URL ?? "";
  const url = await createDatabase(server);
  const name = databaseIn(url);
  await runOn(server, `CREATE ROLE "${name}" LOGIN PASSWORD 'hush'`);
  onTestFinished(async () => {
    await dropDatabase(url);
    await runOn(server, `DROP ROLE "${name}"`);
  });
  const asStranger = new URL(url);
  Object.assign(asStranger, { username: name, password: "hush" });
  return { name, url: asStranger.href };
}

test.runIf(process.env.TEST_DATABASE_URL)("a PostgreSQL that asks for a password, or shows a certificate of its own, is refused, saying which", async () => {
  const certificate = selfSignedCertificate();
  const certificateFile = join(folder, "cert.pem");
  writeFileSync(certificateFile, certificate.cert);
  const cluster = await startCluster(process.env.TEST_DATABASE_URL ?? "", { password: "hush", certificate });
  onTestFinished(cluster.remove);
  const known = cluster.url.replace("@", ":hush@");

  const without = await refusedStart({ DATABASE_URL: cluster.url });
  const wrong = await refusedStart({ DATABASE_URL: cluster.url.replace("@", ":wrong@") });
  const nobody = await refusedStart({ DATABASE_URL: cluster.url.replace("postgres@", ""), USER: "" });
  const unknown = await refusedStart({ DATABASE_URL: `${known}?sslmode=verify-full` });
  for (const sslmode of ["no-verify", `verify-full&sslrootcert=${certificateFile}`]) {
    const server = await startServer({ from: { databaseUrl: `${known}?sslmode=${sslmode}`, dataDir: join(folder, "tls") } });
    await server.stop();
  }

  expect(without).toMatchObject({ code: 1, output: expect.stringMatching(/asks the user "postgres" for a password, and DATABASE_URL has none/) });
  expect(wrong).toMatchObject({ code: 1, output: expect.stringMatching(/does not let in the user "postgres"/) });
  expect(nobody).toMatchObject({ code: 1, output: expect.stringMatching(/asks who comes, and DATABASE_URL names no user/) });
  expect(unknown).toMatchObject({ code: 1, output: expect.stringMatching(/certificate that is not trusted here .*sslrootcert=FILE, .*sslmode=no-verify/) });
  for (const { output } of [without, wrong, unknown]) expect(output).not.toMatch(/\n\s+at |hush/);
});

test.runIf(process.env.TEST_DATABASE_URL)("a PostgreSQL that only reads, as hosts set one whose disk is full, is refused", async () => {
  const server = process.env.TEST_DATABASE_URL ?? "";
  const url = await createDatabase(server);
  onTestFinished(() => dropDatabase(url));
  await runOn(server, `ALTER DATABASE "${databaseIn(url)}" SET default_transaction_read_only = on`);

  const { code, output } = await refusedStart({ DATABASE_URL: url });

  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^Heard cannot go on\. .*does not take what every start writes \(.*read-only.*\): see that it .* has room on its disk/m),
  ]);
});

// Root may write wherever a disk may be written to; nobody may make a folder here.
test.runIf(process.platform === "linux")("a folder that cannot be written to is refused", async () => {
  const { code, output } = await refusedStart({ DATA_DIR: "/sys/heard" });

  expect([code, output]).toEqual([1, expect.stringMatching(/data directory \/sys\/heard cannot be written to by this user.*: point DATA_DIR/)]);
});

/** Has a program say, as its last words, how many files of what serves the site it had loaded. */
const COUNTING_WHAT_IS_LOADED = `--import data:text/javascript,${encodeURIComponent(`
  import { Module } from "node:module";
  const count = () => Object.keys(Module._cache).filter((path) => /node_modules.(next|@prisma)\\W/.test(path)).length;
  process.on("exit", () => process.stderr.write("loaded " + count() + " files\\n"));
`)}`;

test.runIf(isToldHere)("F8: wrong settings are refused all at once, before anything is touched, and before what serves the site is loaded", async () => {
  const wrong = {
    PORT: "eighty",
    HOST: "http://localhost",
    SITE_URL: "feedback.example.com",
    DATABASE_URL: "mysql://localhost/heard",
    AUTH_SECRET: "short",
    MAIL: "pigeon",
    MAIL_FROM: "a\nb@example.com",
    ALLOWED_ORIGINS: "example.com",
    TRUSTED_PROXIES: "-1",
    RATE_LIMITS: "signup=many",
    WORKERS: "0",
    LOG_LEVEL: "loud",
    SETUP_TOKEN: "short",
    RESEND_BASE_URL: "nowhere",
  };

  const started = await refusedStart({ ...wrong, DATA_DIR: untouched, NODE_OPTIONS: COUNTING_WHAT_IS_LOADED });
  const loading = await refusedStart({ PORT: takenPort, DATA_DIR: untouched, NODE_OPTIONS: COUNTING_WHAT_IS_LOADED });
  const checked = await runToEnd("scripts/check-env.ts", { ...wrong, DATA_DIR: untouched });

  for (const { code, output } of [started, checked]) {
    expect(code).toBe(1);
    for (const name of Object.keys(wrong)) expect(output).toMatch(new RegExp(`^  ${name}\\b.* must `, "m"));
  }
  report(`a start with ${Object.keys(wrong).length} settings wrong, ms`, started.ms);
  expect([started.output, loading.output]).toEqual([expect.stringMatching(/^loaded 0 files$/m), expect.stringMatching(/^loaded [1-9]\d* files$/m)]);
});

test.runIf(isToldHere)("F8: where nothing but the packages is there, npm start says wrong settings before it makes anything", async () => {
  const checkout = copyCheckout();
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  const made = ["prisma/generated", ".next", ".heard"].map((path) => join(checkout, path));
  for (const path of made) rmSync(path, { recursive: true, force: true });

  const { code, output, ms } = await runToEnd("scripts/start.mjs", { PORT: "eighty" }, [], { checkout });

  expect([code, output, made.some(existsSync)]).toEqual([1, expect.stringMatching(/^ {2}PORT\b.* must /m), false]);
  report("scripts/start.mjs with a wrong setting, installed and nothing made, ms", ms);
});

test("a taken port is known before a build begins, which would write where a running Heard reads", async () => {
  const { code, output } = await runToEnd("scripts/check-env.ts", { PORT: takenPort, DATA_DIR: untouched });

  expect([code, output]).toEqual([1, expect.stringContaining(`Port ${takenPort} on 127.0.0.1 is taken`)]);
});

test.runIf(isToldHere)("no refused start has left anything behind", () => {
  expect(existsSync(untouched)).toBe(false);
  // Of the socket's place it is told before the database is made.
  expect(readdirSync(oddSocket)).toEqual(["heard.sock"]);
});
