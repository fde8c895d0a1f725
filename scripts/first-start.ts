/** Makes what a first start would else spend seconds on: blank databases for it to copy, without and with tables, and the compiled code of a server that showed its first page. The build runs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#front/listen";
import { openDriverOf } from "#lib/db";
import { makeBlankDatabase, makeBlankSite } from "#lib/embedded/blank";
import { ensureJobSchema } from "#lib/jobs";
import { migrate } from "#lib/migrate";

const POLL_EVERY_MS = 50;

await makeBlankDatabase();
await makeBlankSite(makeTables);
await compileServer();

/** What the server makes before it knows anything of its site, and nothing else: no secret is made here, which every site would share. */
async function makeTables(dataDir: string): Promise<void> {
  const driver = await openDriverOf({ DATABASE_URL: "", DATA_DIR: dataDir });
  try {
    await migrate({ driver });
    await ensureJobSchema(driver);
  } finally {
    await driver.close();
  }
}

/** Starts the site on nothing, asks for the page that a new one shows, and ends it: at its end Node keeps what it compiled, in the folder that `NODE_COMPILE_CACHE` names. */
async function compileServer(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-first-start-"));
  try {
    const port = await freePort();
    const settings = { DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: String(port), MAIL: "outbox" };
    const server = spawn(process.execPath, ["front/main.ts"], { env: { ...process.env, ...settings }, stdio: ["ignore", "ignore", "inherit"] });
    const ended = once(server, "exit");
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => server.kill("SIGTERM"));
    const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
    while (!hasEnded() && !(await shows(`http://127.0.0.1:${port}/setup`))) await sleep(POLL_EVERY_MS);
    server.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) throw new Error(`the server ended with ${code}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function shows(url: string): Promise<boolean> {
  return fetch(url).then(
    (page) => page.ok,
    () => false,
  );
}
