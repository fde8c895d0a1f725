/** Called by Next when the server starts: letters and clean-up run in the process that serves. Never during a build. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startJobs } = await import("#lib/jobs");
  const { jobs } = await import("#server/jobs");
  await startJobs(jobs);
}
