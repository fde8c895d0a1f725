import { EnvError, env } from "#lib/env";
import { settingsProblem } from "./settings-problem.ts";

// Ends with 1 and a list of what to change where the settings are wrong; `npm start` asks before it builds.
try {
  env();
} catch (error) {
  if (!(error instanceof EnvError)) throw error;
  process.stderr.write(settingsProblem(error));
  process.exitCode = 1;
}
