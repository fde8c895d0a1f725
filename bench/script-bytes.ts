import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** What the first page names of script that is not the framework's, in gzipped bytes. */
export async function ownScriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text();
  const named = [...html.matchAll(/<script[^>]+src="(\/_next\/[^"?]+\.js)/g)].map(([, path]) => path as string);
  const { rootMainFiles, polyfillFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
  const framework = [...rootMainFiles, ...polyfillFiles].map((file) => `/_next/${file}`);
  const own = [...new Set(named)].filter((file) => !framework.includes(file));
  return own.reduce((sum, file) => sum + gzipSync(readFileSync(file.replace("/_next/", ".next/"))).length, 0);
}
