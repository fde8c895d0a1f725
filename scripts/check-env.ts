import { EnvError, env } from "#lib/env";

// Ends with 1 and a list of what to change where the settings are wrong; `npm start` asks before it builds.
try {
  env();
} catch (error) {
  if (!(error instanceof EnvError)) throw error;
  process.stderr.write(`Heard cannot start, for some settings are wrong:\n${error.message.replace(/^/gm, "  ")}\n.env.example explains each of them.\n`);
  process.exitCode = 1;
}
