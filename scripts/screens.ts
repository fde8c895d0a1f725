import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page, request } from "playwright";
import { everyPage, type Onlooker, type SitePage } from "#e2e/looks/pages";
import { signIn } from "#e2e/people";
import { startServer } from "#e2e/server";
import { startSite, type TestSite } from "#e2e/site";
import { prepareBuild } from "./bootstrap/prepare.mjs";
import { ensureBrowser } from "./browser.mjs";
import { showProgress } from "./progress-bar.ts";

/** How a page is looked at. */
type Look = { width: number; scheme: "light" | "dark"; locale: string };

type Shot = { file: string; label: string };

const FOLDER = "screens";
const WIDTHS = [375, 768, 1440];
const SCHEMES = ["light", "dark"] as const;
const LOOKS: Look[] = [
  ...WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme, locale: "en" }))),
  { width: 1440, scheme: "light", locale: "ar" },
  { width: 375, scheme: "dark", locale: "de" },
];

/** `npm run screens`: photographs every page, of an empty site and of a full one, in every look, into `screens/`; `screens/index.html` shows them all. */
await prepareBuild();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER);
const browser = await chromium.launch({ executablePath: await ensureBrowser(), chromiumSandbox: process.getuid?.() !== 0 });
try {
  const shots = [...(await photographSetUp(browser)), ...(await photographSite(browser, "empty")), ...(await photographSite(browser, "full"))];
  await writeFile(join(FOLDER, "index.html"), contactSheet(shots));
  console.log(`${shots.length} photographs: ${join(FOLDER, "index.html")}`);
} finally {
  await browser.close();
}

async function photographSetUp(browser: Browser): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const [state, env] of [
    ["ready", {}],
    ["no-mail", { MAIL: "none" }],
  ] as const) {
    const server = await startServer({ database: "embedded", env });
    for (const look of LOOKS) {
      const page = await openPage(browser, server.url, look);
      await page.goto("/setup");
      shots.push(await photograph(page, `setup-${state}`, look));
      await page.context().close();
    }
    await server.remove();
  }
  return shots;
}

async function photographSite(browser: Browser, state: "empty" | "full"): Promise<Shot[]> {
  const site = await startSite({ database: "embedded" });
  try {
    const pages = state === "full" ? await fullSite(browser, site) : emptySite();
    const shots: Shot[] = [];
    const progress = showProgress();
    for (const look of LOOKS) {
      for (const as of ["visitor", "owner"] satisfies Onlooker[]) {
        const page = await openPage(browser, site.url, { ...look, locale: "en" });
        if (as === "owner") await signIn(page, site.owner);
        await speak(page, site.url, look.locale);
        for (const { path } of pages.filter((one) => one.as === as)) {
          await page.goto(path);
          shots.push(await photograph(page, `${state}-${as}${nameOf(path)}`, look));
          progress.update(shots.length, pages.length * LOOKS.length);
        }
        await page.context().close();
      }
    }
    progress.end();
    return shots;
  } finally {
    await site.remove();
  }
}

function emptySite(): SitePage[] {
  const owner = ["/", "/dashboard?notice=set-up", "/dashboard/boards", "/dashboard/users"].map((path) => ({ path, as: "owner" as const, data: [] }));
  return [{ path: "/", as: "visitor", data: [] }, ...owner];
}

/** A site with generated boards, people and posts, which say of themselves that they are. */
async function fullSite(browser: Browser, site: TestSite): Promise<SitePage[]> {
  const demo = spawn(process.execPath, ["scripts/demo.ts"], { env: { ...process.env, DATA_DIR: site.dataDir }, stdio: "inherit" });
  await once(demo, "close");
  const context = await browser.newContext({ baseURL: site.url });
  const ownerPage = await context.newPage();
  await signIn(ownerPage, site.owner);
  const api = await request.newContext({ baseURL: site.url });
  const { pages } = await everyPage({ site, request: api, ownerPage });
  await context.close();
  return [...pages, { path: "/boards/feature-requests-demo", as: "visitor", data: [] }];
}

async function openPage(browser: Browser, url: string, { width, scheme, locale }: Look): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: "reduce", timezoneId: "UTC" });
  const page = await context.newPage();
  await speak(page, url, locale);
  return page;
}

async function speak(page: Page, url: string, locale: string): Promise<void> {
  await page.context().addCookies([{ name: "heard-locale", value: locale, url }]);
}

async function photograph(page: Page, name: string, { width, scheme, locale }: Look): Promise<Shot> {
  const label = `${name} ${width} ${scheme} ${locale}`;
  const file = `${label.replaceAll(" ", ".")}.png`;
  await page.screenshot({ path: join(FOLDER, file), fullPage: true, animations: "disabled" });
  return { file, label };
}

/** What a file can be called after: the address, with ids cut. */
function nameOf(path: string): string {
  return path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
    .replace(/Board-\w+/g, "board")
    .replace(/board-\w{8}/g, "board")
    .replace(/[^\w]+/g, "-");
}

function contactSheet(shots: Shot[]): string {
  const figures = shots.map(
    ({ file, label }) => `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${label}</figcaption></figure>`,
  );
  const style =
    "body{font:14px system-ui;display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}figure{margin:0}img{width:100%;border:1px solid #999}";
  return `<!doctype html><meta charset="utf-8"><title>Heard</title><style>${style}</style>${figures.join("\n")}\n`;
}
