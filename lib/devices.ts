import Bowser from "bowser";

/** What a User-Agent says of a browser and what it runs on, as far as it is known; of a program, `browser` is its own name. */
export type Device = { browser: string | null; system: string | null; kind: "computer" | "phone" | "tablet" | "program" };

/** Reads a User-Agent. */
export function readDevice(userAgent: string): Device {
  const { browser, os, platform } = Bowser.parse(userAgent || "-");
  const kind = platform.type === "mobile" ? "phone" : platform.type === "tablet" ? "tablet" : os.name ? "computer" : "program";
  // A program names itself first, as in `curl/8.5.0`.
  const [program = null] = /^[\w.-]+(?=\/)/.exec(userAgent) ?? [];
  return { browser: browser.name || (kind === "program" ? program : null), system: os.name || null, kind };
}
