import { COMMANDS } from "#front/commands";
import { callControl } from "#lib/control";
import { closeDatabase, databaseKind, openDatabase } from "#lib/db";
import { assertEmbedded, refuseClosed } from "#lib/embedded";
import { env } from "#lib/env";
import { ensureJobSchema } from "#lib/jobs";
import { migrate } from "#lib/migrate";
import { closeHashing } from "#lib/passwords";
import { describeFailure } from "#lib/validation";
import type { OnProgress } from "#server/backup/source";
import { showProgress } from "./progress-bar.ts";

/**
 * Carries a command out: in the running process where that has the embedded database, else here.
 * `check` looks at the input before anything is opened, or made.
 */
export async function runCommand(name: keyof typeof COMMANDS, input: Record<string, unknown>, check: (input: unknown) => void = () => {}): Promise<void> {
  await report(async (onProgress) => {
    check(input);
    const isEmbedded = databaseKind() === "embedded";
    if (isEmbedded) refuseClosed(env().DATA_DIR);
    const elsewhere = isEmbedded ? await callControl(env().DATA_DIR, name, input, onProgress) : null;
    if (elsewhere !== null) return elsewhere;
    // Of what asks for a site, nothing but set-up makes the place for one.
    if (isEmbedded && name !== "setup") assertEmbedded(env().DATA_DIR);
    await openDatabase();
    await migrate();
    await ensureJobSchema();
    return COMMANDS[name](input, onProgress);
  });
}

/** Shows how far `work` is and then what it returns, or on failure its sentence, with exit code 1. Closes the database. */
export async function report(work: (onProgress: OnProgress) => Promise<string>): Promise<void> {
  const progress = showProgress();
  try {
    const result = await work(progress.update);
    progress.end();
    process.stdout.write(`${result}\n`);
  } catch (error) {
    progress.end();
    sayFailure(error);
  }
  // What was done is told by now, also where closing fails.
  await closeAll().catch(sayFailure);
}

function sayFailure(error: unknown): void {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

async function closeAll(): Promise<void> {
  await closeHashing();
  await closeDatabase();
}
