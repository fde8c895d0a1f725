import type { EnvError } from "#lib/env";

/** What a start says of wrong settings: all of them in one list. */
export function settingsProblem({ message }: EnvError): string {
  return `Heard cannot start, for some settings are wrong:\n${message.replace(/^/gm, "  ")}\n.env.example explains each of them.\n`;
}
