import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { closeDatabase, databaseKind, db } from "#lib/db";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { startResendServer } from "#lib/testing/resend";
import { scale } from "#lib/testing/scale";
import { startSmtpServer } from "#lib/testing/smtp";
import { queueMail } from "../mails.ts";

useDatabase();

const KILLS = scale(2, 50);
// A worker takes up to five letters at once; some are left for the last one, which lives.
const LETTERS = KILLS * 5 + 3;
// On PostgreSQL a killed worker is missed after its heartbeat's 15 s, by a look every 10 s.
const TIMEOUT_MS = 120_000 + KILLS * 10_000;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** A mail server by how many letters it has taken, and whether it says so. */
type Counterpart = { settings: Record<string, string>; takenCount(): number; answer(isAnswering: boolean): void };

test("workers killed in the middle of letters: Resend delivers each letter once, and none is lost", { timeout: TIMEOUT_MS }, async () => {
  const resend = await startResendServer();
  closers.push(() => resend.close());

  const ids = await killWorkers({
    settings: { MAIL: "resend", RESEND_API_KEY: "re_secret", RESEND_BASE_URL: resend.url },
    takenCount: () => resend.requestCount,
    answer: (isAnswering) => void (resend.mood = isAnswering ? "well" : "accepting-then-silent"),
  });

  const deliveredIds = resend.delivered.map(({ idempotencyKey }) => idempotencyKey).toSorted();
  report("Resend", deliveredIds, ids);
  expect(deliveredIds).toEqual(ids);
  expect(resend.requestCount).toBeGreaterThanOrEqual(LETTERS + KILLS);
});

test("workers killed in the middle of letters: over SMTP each arrives, under one Message-ID", { timeout: TIMEOUT_MS }, async () => {
  const smtp = await startSmtpServer();
  closers.push(() => smtp.close());

  const ids = await killWorkers({
    settings: { MAIL: "smtp", SMTP_URL: smtp.url },
    takenCount: () => smtp.received.length,
    answer: (isAnswering) => void (smtp.mood = isAnswering ? "well" : "silent"),
  });

  const messageIds = smtp.received.map(({ mail }) => mail.messageId);
  report("SMTP", [...new Set(messageIds)], ids);
  expect([...new Set(messageIds)].toSorted()).toEqual(ids.map((id) => `<${id}@feedback.example.com>`));
  expect(messageIds.length).toBeGreaterThanOrEqual(LETTERS + KILLS);
});

function report(by: string, delivered: readonly unknown[], ids: string[]): void {
  const measure = `${KILLS} workers killed in the middle of letters by ${by}: letters, and of them delivered`;
  reportBar({ bar: "C13", measure, figure: `${ids.length}, ${delivered.length}`, ok: delivered.length === ids.length });
}

/** Queues letters, kills worker after worker while the mail server holds its answer back, lets the last one finish, and returns the letters' ids. */
async function killWorkers({ settings, takenCount, answer }: Counterpart): Promise<string[]> {
  const ids = await queueLetters();
  // The embedded database belongs to one process at a time.
  if (databaseKind() === "embedded") await closeDatabase();
  answer(false);
  for (let kill = 0; kill < KILLS; kill++) {
    const takenBefore = takenCount();
    const worker = startWorker(settings);
    await until(() => takenCount() > takenBefore);
    await end(worker);
  }
  answer(true);
  const survivor = startWorker(settings);
  const takenBefore = takenCount();
  await until(() => takenCount() - takenBefore >= LETTERS);
  // What it took last is noted as sent a moment later.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await end(survivor);
  expect(await db.mail.count({ where: { status: "SENT" } })).toBe(LETTERS);
  return ids.toSorted();
}

async function queueLetters(): Promise<string[]> {
  const props = { link: "https://feedback.example.com/confirm-address?token=tok_3n" };
  for (let index = 0; index < LETTERS; index++)
    await db.$transaction((tx) => queueMail(tx, { to: `person-${index}@example.org`, userId: null, letter: "confirm-address", props }));
  return (await db.mail.findMany({ select: { mailId: true } })).map(({ mailId }) => mailId);
}

function startWorker(settings: Record<string, string>): ChildProcess {
  const worker = fork("lib/testing/mail-worker.ts", {
    execPath: process.execPath,
    execArgv: [],
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  closers.push(() => worker.kill("SIGKILL"));
  return worker;
}

async function end(worker: ChildProcess): Promise<void> {
  worker.kill("SIGKILL");
  if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
