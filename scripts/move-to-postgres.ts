import { join, resolve } from "node:path";
import { env } from "#lib/env";
import { moveToPostgres, withoutPassword } from "#server/backup/move";
import { readWord } from "./arguments.ts";
import { report } from "./commands.ts";

/** `npm run move-to-postgres -- URL`: copies the stopped embedded site into an empty PostgreSQL database. */
const url = readWord();
await report(async (onProgress) => {
  if (!url) throw new Error("Say where to: npm run move-to-postgres -- postgresql://heard:password@localhost:5432/heard");
  const { rows, tables } = await moveToPostgres(url, onProgress);
  const shown = withoutPassword(url);
  const hint = shown.includes("***") ? " (with the password in place of ***)" : "";
  // What the embedded database does by itself has to be said beside PostgreSQL.
  const mail = env().MAIL === "outbox" ? "\n  MAIL=outbox, or SMTP_URL=… or RESEND_API_KEY=… to have emails sent" : "";
  return `All ${rows.toLocaleString("en")} rows of ${tables} tables are in PostgreSQL, and the same there. Set this before you start Heard again${hint}:\n\n  DATABASE_URL=${shown}${mail}\n\nThe embedded database keeps all it had. Once Heard runs on PostgreSQL, put ${join(resolve(env().DATA_DIR), "db")} away: a command that is run without DATABASE_URL works on it.`;
});
