import { createServer } from "node:http";
import { listen } from "#front/listen";
import { settingsProblem } from "#front/settings-problem";
import { EnvError, env } from "#lib/env";
import { isStartupError } from "#lib/startup-error";

// Ends with 1 and what to change where the settings are wrong or the port is taken; `npm start` asks before it generates and builds, which takes long
// and puts new files where a running Heard reads its own.
try {
  const { HOST, PORT } = env();
  const probe = createServer();
  await listen(probe, HOST, PORT);
  probe.close();
} catch (error) {
  if (error instanceof EnvError) process.stderr.write(settingsProblem(error));
  else if (isStartupError(error)) process.stderr.write(`Heard cannot start. ${error.message}\n`);
  else throw error;
  process.exitCode = 1;
}
