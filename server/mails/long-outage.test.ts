import { afterAll, afterEach, expect, test, vi } from "vitest";
import { HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { nextAttemptOf, startJobs, stopJobs } from "#lib/jobs";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { jobs } from "../jobs.ts";
import { queueMail } from "../mails.ts";

// Settings are read once per process, so the stand-in for Resend is there before anything reads them.
const resend = await vi.hoisted(async () => {
  const { startResendServer } = await import("#lib/testing/resend");
  const server = await startResendServer();
  Object.assign(process.env, { MAIL: "resend", RESEND_API_KEY: "re_secret", RESEND_BASE_URL: server.url });
  return server;
});

useDatabase();

afterEach(() => stopJobs());

afterAll(() => resend.close());

/** Lets a worker try the letter for the `attempt`th time, and returns for how long it then waits. */
async function refusedAttempt(mailId: string, attempt: number): Promise<number> {
  await startJobs(jobs);
  await vi.waitFor(async () => expect([(await mailOf(mailId)).attempts, await nextAttemptOf(mailId)]).toEqual([attempt, expect.any(Date)]), {
    timeout: 20_000,
  });
  await stopJobs();
  const dueAt = await nextAttemptOf(mailId);
  return (dueAt?.getTime() ?? Number.NaN) - Date.now();
}

function mailOf(mailId: string) {
  return db.mail.findUniqueOrThrow({ where: { mailId } });
}

test("F4: a letter that the mail service refuses for an hour is not given up, and arrives once afterwards", { timeout: 180_000 }, async () => {
  const props = { link: "https://feedback.example.com/confirm-address?token=tok_3n" };
  await db.$transaction((tx) => queueMail(tx, { to: "ada@example.org", userId: null, letter: "confirm-address", props }));
  const { mailId } = await db.mail.findFirstOrThrow();

  let [attempts, waitedMs] = [0, 0];
  while (waitedMs < HOUR_MS) {
    resend.mood = attempts % 2 === 0 ? "rate-limited" : "unavailable";
    attempts += 1;
    waitedMs += await refusedAttempt(mailId, attempts);
    // That time passes.
    await db.$executeRaw`UPDATE pgboss.job SET start_after = now() WHERE singleton_key = ${mailId}`;
  }
  const refused = await mailOf(mailId);
  resend.mood = "well";
  await startJobs(jobs);
  await vi.waitFor(async () => expect((await mailOf(mailId)).status).not.toBe("QUEUED"), { timeout: 20_000 });

  const isDelivered = resend.delivered.length === 1;
  reportBar({
    bar: "F4",
    measure: "a letter refused for an hour: attempts in it; deliveries once the service is well",
    figure: `${attempts}; ${resend.delivered.length}`,
    ok: refused.status === "QUEUED" && isDelivered,
  });
  expect(refused).toMatchObject({ status: "QUEUED", attempts, lastError: expect.stringMatching(/^(429|503) /) });
  expect(resend.delivered.map(({ idempotencyKey }) => idempotencyKey)).toEqual([mailId]);
  expect(await mailOf(mailId)).toMatchObject({ status: "SENT", attempts: attempts + 1, lastError: null });
});
