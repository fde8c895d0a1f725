/** Called by Next when the server starts: letters and clean-up run in the process that serves. Never during a build. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startJobs } = await import("#lib/jobs");
  const { jobs } = await import("#server/jobs");
  // Nobody waits for them: while the database is away visitors are told so at once.
  void startJobs(jobs);
  // A restored or moved site has letters and no jobs. Nobody waits for this, and the hour does it again.
  const { requeueStrandedMails } = await import("#server/mails");
  const { log } = await import("#lib/log");
  requeueStrandedMails({ olderThanMs: 0 }).catch((error: unknown) => log.warn({ err: error }, "Letters without a job were not looked for."));
}
