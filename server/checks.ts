import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { DAY_MS } from "#lib/days";
import { databaseKind, db, isUnavailable } from "#lib/db";
import { ENOUGH_BYTES, freeBytes, UNTOLD_BYTES } from "#lib/embedded/room";
import { env } from "#lib/env";
import { log } from "#lib/log";
import { isLoopback } from "#lib/loopback";
import { lettersGoOut } from "#lib/mail";
import type { Visit } from "#lib/visit";
import type en from "#messages/en.json";
import { findLastBackup } from "./backup/last.ts";
import { findFailedLetters, findFailingLetters } from "./mails/failures.ts";
import { siteUrl, THE_SITE } from "./settings.ts";

/** Green, grey (there is time), amber (works, and could be better) or red (has to be mended). */
export type CheckState = "ok" | "pending" | "warning" | "problem";

type CheckName = "database" | "storage" | "address" | "mail" | "clock" | "backup";

/** What a check found: its state, the message of `checks` that tells it, and the facts which that names. */
export type Check = {
  [Name in CheckName]: { check: Name; state: CheckState; finding: Finding<Name>; facts: Facts };
}[CheckName];

/** How bad each finding is. What is amber or red has what mends it under `checks.fixes`. */
export const STATE_OF: { [Name in CheckName]: Record<Finding<Name>, CheckState> } = {
  database: { embedded: "ok", postgresql: "ok", unreachable: "problem", readOnly: "problem" },
  storage: { elsewhere: "ok", writable: "ok", unmeasured: "ok", nearlyFull: "warning", full: "problem", notWritable: "problem" },
  address: { secure: "ok", differs: "warning", local: "warning", insecure: "warning" },
  mail: { smtp: "ok", resend: "ok", outbox: "warning", failing: "warning", failed: "warning", none: "problem" },
  clock: { right: "ok", off: "warning", unknown: "warning" },
  backup: { recent: "ok", notYet: "pending", old: "warning", never: "warning" },
};

type Finding<Name extends CheckName> = keyof (typeof en)["checks"][Name];

type Facts = {
  version?: string;
  folder?: string;
  freeMegabytes?: number;
  address?: string;
  here?: string;
  seconds?: number;
  letters?: number;
  error?: string;
  at?: Date;
  file?: string;
};

const MEGABYTE = 1_000_000;
const LITTLE_SPACE_BYTES = 1000 * MEGABYTE;
const CLOCK_TOLERANCE_MS = 30_000;
const OLD_BACKUP_MS = 7 * DAY_MS;

/**
 * Whether each thing that Heard stands on is as it should be, as far as anybody may know before there is an owner: not where on the machine things lie,
 * nor what the mail server says, which names people and hosts. Never throws.
 */
export async function runPublicChecks(visit: Visit): Promise<Check[]> {
  return (await runChecks(visit)).map(({ facts: { folder, error: _, ...facts }, ...check }) => {
    return { ...check, facts: folder ? { ...facts, folder: basename(folder) } : facts };
  });
}

/** Whether each thing that Heard stands on is as it should be. Never throws. */
export async function runChecks(visit: Visit): Promise<Check[]> {
  return Promise.all([checkDatabase(), checkStorage(), checkAddress(visit), checkMail(), checkClock()]);
}

/** The same of a site that is set up, with what only such a one needs. Never throws. */
export async function runSiteChecks(visit: Visit): Promise<Check[]> {
  return Promise.all([runChecks(visit), checkBackup()]).then((checks) => checks.flat());
}

async function checkDatabase(): Promise<Check> {
  const kind = databaseKind();
  try {
    const [row] = await db.$queryRaw<{ version: string; isReadOnly: boolean }[]>`
      SELECT split_part(current_setting('server_version'), ' ', 1) AS "version", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;
    // So the embedded engine is set, and many a PostgreSQL by who hosts it, before its disk is full.
    if (row?.isReadOnly) return checked("database", "readOnly");
    return checked("database", kind, { version: row?.version ?? "" });
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "the database check failed");
    return checked("database", "unreachable");
  }
}

/** The folder of the embedded database; with PostgreSQL there is none. */
async function checkStorage(): Promise<Check> {
  if (databaseKind() !== "embedded") return checked("storage", "elsewhere");
  const folder = resolve(env().DATA_DIR);
  try {
    await access(folder, constants.W_OK);
    const free = freeBytes(folder);
    if (free === UNTOLD_BYTES) return checked("storage", "unmeasured", { folder });
    const facts = { folder, freeMegabytes: Math.floor(free / MEGABYTE) };
    return checked("storage", free < ENOUGH_BYTES ? "full" : free < LITTLE_SPACE_BYTES ? "nearlyFull" : "writable", facts);
  } catch {
    return checked("storage", "notWritable", { folder });
  }
}

/** Whether mailed links lead to where the site is open just now. */
async function checkAddress(visit: Visit): Promise<Check> {
  const address = await siteUrl(visit).catch(() => visit.ownOrigin);
  const facts = { address, here: visit.ownOrigin };
  const { protocol, hostname } = new URL(address);
  if (address !== visit.ownOrigin) return checked("address", "differs", facts);
  if (isLoopback(hostname)) return checked("address", "local", facts);
  return checked("address", protocol === "https:" ? "secure" : "insecure", facts);
}

/** How mail stands, as far as it is known without sending any. Never throws. */
export async function checkMail(): Promise<Check> {
  if (!lettersGoOut()) return checked("mail", env().MAIL);
  const [failing, failed] = await Promise.all([findFailingLetters(), findFailedLetters()]).catch(() => [null, null]);
  if (failing) return checked("mail", "failing", failing);
  return failed ? checked("mail", "failed", failed) : checked("mail", env().MAIL);
}

/** Compares this machine's clock with the database's; one that is off lets links expire early or late. */
async function checkClock(): Promise<Check> {
  try {
    const before = Date.now();
    const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
    const driftMs = Math.abs((row?.now.getTime() ?? before) - (before + Date.now()) / 2);
    const seconds = Math.round(driftMs / 1000);
    return checked("clock", driftMs < CLOCK_TOLERANCE_MS ? "right" : "off", { seconds });
  } catch {
    return checked("clock", "unknown");
  }
}

/** Whether somebody keeps copies of the site; one from before it was set up is of another site. On its first day nobody is pressed. */
async function checkBackup(): Promise<Check> {
  const site = await db.siteSettings.findUnique({ where: THE_SITE, select: { setUpAt: true } }).catch(() => null);
  const setUpAt = site?.setUpAt ?? new Date();
  const last = findLastBackup();
  if (!last || last.at < setUpAt) return checked("backup", Date.now() - setUpAt.getTime() < DAY_MS ? "notYet" : "never");
  return checked("backup", Date.now() - last.at.getTime() < OLD_BACKUP_MS ? "recent" : "old", { at: last.at, file: last.path });
}

function checked<Name extends CheckName>(check: Name, finding: Finding<Name>, facts: Facts = {}): Check {
  return { check, finding, state: STATE_OF[check][finding], facts } as Check;
}
