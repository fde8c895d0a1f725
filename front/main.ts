import cluster from "node:cluster";
import { format, stripVTControlCharacters } from "node:util";
import { fixAnswerStatus } from "#lib/answer";
import { EnvError, env, useProductionMode } from "#lib/env";
import { log, withoutQuotations } from "#lib/log";
import { settingsProblem } from "./settings-problem.ts";
import { isUnreadableForm } from "./unreadable-forms.ts";

const isDev = process.argv.includes("--dev");

/** What `npm start` ends in: one process that serves the site, or one that runs as many of them as `WORKERS` says. */
async function serve(): Promise<void> {
  if (!isDev) useProductionMode();
  if (cluster.isPrimary && env().WORKERS > 1) {
    const { runWorkers } = await import("./workers.ts");
    await runWorkers(env().WORKERS);
  } else {
    const { serveSite } = await import("./site.ts");
    await serveSite({ isDev });
  }
}

/** What Next says of a form that broke off, or was refused midway. The request's own line tells how it ended; anybody could raise alarms by it. */
const BROKE_OFF = /^⨯ Error: (aborted|Premature close)\n/;

// Whatever a library says is a log line too, but for what it quotes, which may be what somebody sent.
for (const [method, level] of [
  ["log", "info"],
  ["info", "info"],
  ["warn", "warn"],
  ["error", "error"],
  ["debug", "debug"],
] as const) {
  console[method] = (...words: unknown[]) => {
    const text = withoutQuotations(stripVTControlCharacters(format(...words)));
    if (BROKE_OFF.test(text)) log.debug(text);
    else if (isUnreadableForm(words)) {
      // Next says 500 of it.
      fixAnswerStatus(400);
      log.warn({ reason: text }, "what was sent to a form could not be read");
    } else log[level](text);
  };
}
// A full disk where its words go, or a reader who left, is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));

// Whoever serves decides what it means; until then it must not end a start.
process.on("SIGHUP", () => {});

await serve().catch((error: unknown) => {
  if (!(error instanceof EnvError)) throw error;
  process.stderr.write(settingsProblem(error));
  process.exit(1);
});
