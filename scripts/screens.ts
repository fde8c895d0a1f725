import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright";
import { everyVisit, type Visit } from "#e2e/looks/visits";
import { startServer } from "#e2e/server";
import { startSite } from "#e2e/site";
import { openGate } from "#lib/testing/gate";
import { readArguments } from "./arguments.ts";
import { prepareBuild } from "./bootstrap/prepare.mjs";
import { ensureBrowser } from "./browser.mjs";
import { at, contactSheet, FOLDER, opened, photograph, type Shot } from "./screens/photographs.ts";
import { photographForReadme, README_FOLDER } from "./screens/readme.ts";

/**
 * `npm run screens`: photographs every page in every state and every look into `screens/`; `screens/index.html` shows them all.
 * `-- --readme`: the README's own pictures instead.
 */
const { values } = readArguments({ options: { readme: { type: "boolean", default: false } } });
await prepareBuild();
const browser = await chromium.launch({ executablePath: await ensureBrowser(), chromiumSandbox: process.getuid?.() !== 0 });
try {
  if (values.readme) console.log(`${(await photographForReadme(browser)).length} photographs in ${README_FOLDER}`);
  else await photographAll();
} finally {
  await browser.close();
}

async function photographAll(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  const shots = await photographWithoutMail();
  for await (const visit of everyVisit({ browser, database: "embedded" })) shots.push(...(await photographVisit(visit)));
  const postgres = process.env.TEST_DATABASE_URL;
  if (postgres) shots.push(...(await photographWithoutDatabase(postgres)));
  await writeFile(join(FOLDER, "index.html"), contactSheet(shots));
  console.log(`${shots.length} photographs: ${join(FOLDER, "index.html")}`);
  if (!postgres) console.log("None of a site whose database is away: TEST_DATABASE_URL names no PostgreSQL.");
}

function photographVisit({ site, cookies, pages }: Visit): Promise<Shot[]> {
  return photograph(browser, { url: site.url, cookies }, pages.map(opened));
}

async function photographWithoutMail(): Promise<Shot[]> {
  const server = await startServer({ database: "embedded", env: { MAIL: "none" } });
  try {
    return await photograph(browser, server, [at("newcomer no mail", "/setup")]);
  } finally {
    await server.remove();
  }
}

async function photographWithoutDatabase(postgres: string): Promise<Shot[]> {
  const gate = await openGate(new URL(postgres));
  const site = await startSite({ database: "postgresql", through: gate.port });
  try {
    gate.shut();
    return await photograph(browser, site, [at("visitor database away", "/")]);
  } finally {
    await site.remove();
  }
}
