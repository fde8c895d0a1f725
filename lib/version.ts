import { readFileSync } from "node:fs";

let version: string | undefined;

/** Heard's own version, as package.json says it. The server runs in that file's folder. */
export function heardVersion(): string {
  version ??= String((JSON.parse(readFileSync("package.json", "utf8")) as { version: unknown }).version);
  return version;
}
