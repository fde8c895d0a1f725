/** So long after Next has loaded begins what nobody waits for: the very first page, which somebody does wait for, has the machine to itself, as by `FIRST_ALONE_MS`. */
const BACKGROUND_AFTER_MS = 1_500;

/** Called by Next when the server starts: letters and clean-up run in the process that serves. Never during a build. */
export function register(): void {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  setTimeout(() => void beginBackground(), BACKGROUND_AFTER_MS);
}

async function beginBackground(): Promise<void> {
  const { startJobs } = await import("#lib/jobs");
  const { jobs } = await import("#server/jobs");
  const { isDraining } = await import("#lib/draining");
  if (isDraining()) return;
  // Not awaited: while the database is away visitors are told so at once.
  void startJobs(jobs);
  // A restored or moved site has letters and no jobs. The hour does it again.
  const { requeueStrandedMails } = await import("#server/mails");
  const { log } = await import("#lib/log");
  requeueStrandedMails({ olderThanMs: 0 }).catch((error: unknown) => log.warn({ err: error }, "Letters without a job were not looked for."));
}
