import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** What of `scripts`, paths below the site's address, is not the framework's, in gzipped bytes; each counts once. */
export function ownScriptBytes(scripts: Iterable<string>): number {
  const { rootMainFiles, polyfillFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
  const framework = [...rootMainFiles, ...polyfillFiles].map((file) => `/_next/${file}`);
  const own = [...new Set(scripts)].filter((file) => !framework.includes(file));
  return own.reduce((sum, file) => sum + gzipSync(readFileSync(file.replace("/_next/", ".next/"))).length, 0);
}
