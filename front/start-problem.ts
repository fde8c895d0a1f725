import { resolve, sep } from "node:path";
import pg from "pg";
import { isDenied, isUnavailable } from "#lib/db";
import { EnvError, env } from "#lib/env";
import { isStartupError } from "#lib/startup-error";
import { describeFailure } from "#lib/validation";
import { settingsProblem } from "./settings-problem.ts";

/** What whoever starts Heard reads instead of a stack: what stands in the way, and what to change. Null where nobody foresaw it. `lead` says what could not be done. */
export function startProblem(error: unknown, lead = "Heard cannot start."): string | null {
  if (error instanceof EnvError) return settingsProblem(error);
  if (isStartupError(error)) return `${lead} ${error.message}\n`;
  if (isDenied(error)) return `${lead} ${deniedProblem(error)}\n`;
  if (isInDataDirectory(error)) return `${lead} ${fileProblem(error)}\n`;
  if (isUnavailable(error))
    return `Heard cannot go on. The database was lost on the way, or does not take what every start writes (${describeFailure(error)}): see that it can be reached, has room on its disk, and is not kept from writing.\n`;
  return null;
}

/** A database that another user made lets others read and write nothing, and from PostgreSQL 15 on create nothing either. */
function deniedProblem(error: unknown): string {
  const { user, database } = new pg.Client({ connectionString: env().DATABASE_URL });
  return `In the database "${database}" the user "${user}" may not do what every start does (${describeFailure(error)}): make it the owner, by ALTER DATABASE "${database}" OWNER TO "${user}", and of what is in there already, by REASSIGN OWNED.`;
}

type FileError = Error & { path: string; code: string };

/** Whether what failed is a file of the data directory: mostly `sudo` left it to another user, or it is not what Heard puts there. */
function isInDataDirectory(error: unknown): error is FileError {
  const { path, code } = (error ?? {}) as Partial<FileError>;
  return typeof path === "string" && typeof code === "string" && path.startsWith(resolve(env().DATA_DIR) + sep);
}

function fileProblem({ path, code }: FileError): string {
  return `In the data directory, ${path} cannot be used (${code}): give this user all that lies in there, remove what Heard did not write, and see that its disk has room; or point DATA_DIR elsewhere.`;
}
