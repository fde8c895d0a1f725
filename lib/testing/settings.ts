import { readFileSync } from "node:fs";

/** Every setting that `.env.example` explains, empty: what the developer has set, there or in a `.env`, must not reach a test. */
export function emptySettings(): Record<string, string> {
  const names = readFileSync(new URL("../../.env.example", import.meta.url), "utf8").matchAll(/^#?([A-Z_]+)=/gm);
  return Object.fromEntries([...names].map(([, name]) => [name as string, ""]));
}
