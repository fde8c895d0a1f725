import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { findSecrets } from "#lib/testing/secrets";
import { emptySettings } from "#lib/testing/settings";

// Shorter ones, such as a language or a user's name, stand in any text.
const SHORTEST_VALUE = 12;

const bundles = globSync(".next/static/**/*.{js,css,json,map}").map((path) => ({ path, text: readFileSync(path, "utf8") }));
/** Names such as DATABASE_URL; PORT and HOST are words. */
const names = Object.keys(emptySettings()).filter((name) => name.includes("_"));
const values = Object.values(process.env).filter((value) => value !== undefined && value.length >= SHORTEST_VALUE);

test("S9: what browsers load holds no setting of the server, no value of the machine that built it, and no secret", () => {
  const found = bundles.flatMap(({ path, text }) => [
    ...names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${path} names ${name}`),
    ...[...values, process.cwd()].filter((value) => value && text.includes(value)).map((value) => `${path} holds ${value}`),
    ...findSecrets(text).map(({ kind }) => `${path} holds ${kind}`),
    ...(text.match(/process\.env\.(?!NODE_ENV\b|NEXT_|__NEXT)\w+/g) ?? []).map((reading) => `${path} reads ${reading}`),
    ...(path.endsWith(".map") ? [`${path} tells the sources`] : []),
  ]);

  reportBar({
    bar: "S9",
    measure: `settings, values and secrets of the server in ${bundles.length} files for browsers`,
    figure: found.length,
    ok: found.length === 0,
  });
  expect(bundles.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

test("of a page's scripts those that every page runs are compiled while they load, and no other", async () => {
  const html = await (await fetch(`${inject("site").url}/login`)).text();
  const scripts = [...html.matchAll(/ src="\/_next\/(static\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  const { rootMainFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));

  const hinted = scripts.filter((path) => readFileSync(`.next/${path}`, "utf8").startsWith("//# allFunctionsCalledOnLoad\n"));
  expect(hinted.toSorted()).toEqual(rootMainFiles.toSorted());
});
