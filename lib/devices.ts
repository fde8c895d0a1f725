import Bowser from "bowser";

/** Names that Bowser 2.15 gives and leaves out of its own list. */
const NOT_IN_ITS_MAP = ["Miui", "Opera Touch", "PlayStation 4", "SlimerJS"];

/** Bowser takes what it does not know by the User-Agent's own words, which anybody can choose. */
const KNOWN_BROWSERS = new Set([...Object.values(Bowser.BROWSER_MAP), ...NOT_IN_ITS_MAP]);

/** What a User-Agent says of a browser and what it runs on, as far as they are known; of a program, `browser` is its own name. */
export type Device = { browser: string | null; system: string | null; kind: "computer" | "phone" | "tablet" | "program" };

/** Reads a User-Agent. */
export function readDevice(userAgent: string): Device {
  const { browser, os, platform } = Bowser.parse(userAgent || "-");
  const kind = platform.type === "mobile" ? "phone" : platform.type === "tablet" ? "tablet" : os.name ? "computer" : "program";
  // A program names itself first, as in `curl/8.5.0`.
  const [program = null] = /^[\w.-]+(?=\/)/.exec(userAgent) ?? [];
  const known = KNOWN_BROWSERS.has(browser.name ?? "") ? browser.name : undefined;
  return { browser: known ?? (kind === "program" ? program : null), system: os.name || null, kind };
}
