import { type Command, callControl } from "#lib/control";
import { closeDatabase, databaseKind, openDatabase } from "#lib/db";
import { env } from "#lib/env";
import { migrate } from "#lib/migrate";
import { closeHashing } from "#lib/passwords";
import { describeFailure } from "#lib/validation";
import { createDemo, removeDemo } from "#server/demo";
import { resetOwnerPassword } from "#server/owner-recovery";
import { showProgress } from "./progress-bar.ts";

/** What can be asked of a site while it runs. */
export const COMMANDS = {
  demo: async (input, onProgress) => {
    if (input.remove === true) {
      const { boards, people } = await removeDemo();
      return `Removed ${boards} generated boards with their posts and ${people} generated people.`;
    }
    const { boards, people, posts } = await createDemo(input, onProgress);
    return `Made ${boards} boards, ${people} people and ${posts} posts, all generated. Remove them with: npm run demo -- --remove`;
  },
  "owner:reset-password": async (input) => {
    const { email, password } = await resetOwnerPassword(typeof input.email === "string" ? input.email : undefined);
    return `${email} can sign in with this password now, and was signed out everywhere:\n\n  ${password}\n\nSign in with it at /login, and change it at /me.`;
  },
} satisfies Record<string, Command>;

/** Carries a command out: in the running process where that has the embedded database, else here. Ends this process's part with exit code 1 on failure. */
export async function runCommand(name: keyof typeof COMMANDS, input: Record<string, unknown>): Promise<void> {
  const progress = showProgress();
  try {
    const elsewhere = databaseKind() === "embedded" ? await callControl(env().DATA_DIR, name, input, progress.update) : null;
    const result = elsewhere ?? (await runHere(COMMANDS[name], input, progress.update));
    progress.end();
    process.stdout.write(`${result}\n`);
  } catch (error) {
    progress.end();
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

async function runHere(command: Command, input: Record<string, unknown>, onProgress: (done: number, total: number) => void): Promise<string> {
  try {
    await openDatabase();
    await migrate();
    return await command(input, onProgress);
  } finally {
    await closeHashing();
    await closeDatabase();
  }
}
