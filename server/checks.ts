import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import { databaseKind, db, isUnavailable } from "#lib/db";
import { env } from "#lib/env";
import { log } from "#lib/log";
import type { Visit } from "#lib/visit";
import type en from "#messages/en.json";
import { siteUrl } from "./settings.ts";

/** Green, amber (works, and could be better) or red (has to be mended). */
export type CheckState = "ok" | "warning" | "problem";

type CheckName = "database" | "storage" | "address" | "mail" | "clock";

/** What a check found: its state, the message of `checks` that tells it, and the facts which that names. */
export type Check = {
  [Name in CheckName]: { check: Name; state: CheckState; finding: keyof (typeof en)["checks"][Name]; facts: Facts };
}[CheckName];

type Facts = { version?: string; folder?: string; freeMegabytes?: number; address?: string; here?: string; seconds?: number };

const MEGABYTE = 1_000_000;
const LITTLE_SPACE = 1000 * MEGABYTE;
const NO_SPACE = 100 * MEGABYTE;
const CLOCK_TOLERANCE_MS = 30_000;

/** What an owner should know before set-up and later: whether each thing that Heard stands on is as it should be. Never throws. */
export async function runChecks(visit: Visit): Promise<Check[]> {
  return Promise.all([checkDatabase(), checkStorage(), checkAddress(visit), checkMail(), checkClock()]);
}

async function checkDatabase(): Promise<Check> {
  const kind = databaseKind();
  try {
    const [row] = await db.$queryRaw<{ version: string }[]>`SELECT split_part(current_setting('server_version'), ' ', 1) AS version`;
    return { check: "database", state: "ok", finding: kind, facts: { version: row?.version ?? "" } };
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "the database check failed");
    return { check: "database", state: "problem", finding: "unreachable", facts: {} };
  }
}

/** The folder of the embedded database; with PostgreSQL nothing is kept on this machine. */
async function checkStorage(): Promise<Check> {
  if (databaseKind() !== "embedded") return { check: "storage", state: "ok", finding: "elsewhere", facts: {} };
  const folder = resolve(env().DATA_DIR);
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const facts = { folder, freeMegabytes: Math.floor(free / MEGABYTE) };
    if (free < NO_SPACE) return { check: "storage", state: "problem", finding: "full", facts };
    return { check: "storage", state: free < LITTLE_SPACE ? "warning" : "ok", finding: free < LITTLE_SPACE ? "nearlyFull" : "writable", facts };
  } catch {
    return { check: "storage", state: "problem", finding: "notWritable", facts: { folder } };
  }
}

/** Whether mailed links lead to where the site is open just now. */
async function checkAddress(visit: Visit): Promise<Check> {
  const address = await siteUrl(visit).catch(() => visit.ownOrigin);
  const facts = { address, here: visit.ownOrigin };
  const { protocol, hostname } = new URL(address);
  if (address !== visit.ownOrigin) return { check: "address", state: "warning", finding: "differs", facts };
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) return { check: "address", state: "warning", finding: "local", facts };
  return { check: "address", state: protocol === "https:" ? "ok" : "warning", finding: protocol === "https:" ? "secure" : "insecure", facts };
}

async function checkMail(): Promise<Check> {
  const { MAIL } = env();
  return { check: "mail", state: MAIL === "none" ? "problem" : MAIL === "outbox" ? "warning" : "ok", finding: MAIL, facts: {} };
}

/** Compares this machine's clock with the database's; one that is off lets links expire early or late. */
async function checkClock(): Promise<Check> {
  try {
    const before = Date.now();
    const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
    const driftMs = Math.abs((row?.now.getTime() ?? before) - (before + Date.now()) / 2);
    const seconds = Math.round(driftMs / 1000);
    const isRight = driftMs < CLOCK_TOLERANCE_MS;
    return { check: "clock", state: isRight ? "ok" : "warning", finding: isRight ? "right" : "off", facts: { seconds } };
  } catch {
    return { check: "clock", state: "warning", finding: "unknown", facts: {} };
  }
}
