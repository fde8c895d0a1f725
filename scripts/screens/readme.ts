import { join } from "node:path";
import type { Browser, Page } from "playwright";
import sharp from "sharp";
import { newestLetterTo } from "#e2e/letters";
import { signIn } from "#e2e/people";
import { runToEnd } from "#e2e/process/run";
import { startServer } from "#e2e/server";
import { OWNER, setUpSite, type TestSite } from "#e2e/site";
import { t } from "#e2e/words";

/** Where the README finds its pictures. */
export const README_FOLDER = "docs/screens";

/** As wide as the README shows them at most, and sharp there. */
const WIDTH = 1200;
const TALL = { width: 1280, height: 966 };
const SHORT = { width: 1280, height: 872 };

/** Photographs what the README shows: the wizard, and a generated site's first page, dashboard, and a board in Arabic and in the dark. */
export async function photographForReadme(browser: Browser): Promise<string[]> {
  const server = await startServer({ database: "embedded" });
  const take = async (name: string, { viewport = TALL, ...look }: Look, show: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ baseURL: server.url, viewport, deviceScaleFactor: 2, reducedMotion: "reduce", locale: "en", ...look });
    const page = await context.newPage();
    await show(page);
    const picture = await page.screenshot({ animations: "disabled" });
    await sharp(picture)
      .resize({ width: WIDTH })
      .webp({ quality: 82 })
      .toFile(join(README_FOLDER, `${name}.webp`));
    await context.close();
    return name;
  };
  try {
    const setup = await take("setup", { viewport: SHORT }, fillWizard);
    const site = await setUpSite(server);
    await fillWithDemo(site);
    await writeDescription(site);
    return [
      setup,
      await take("home", {}, (page) => page.goto("/")),
      await take("dashboard", {}, (page) => openDashboard(page, site)),
      await take("board-ar-dark", { viewport: SHORT, locale: "ar", colorScheme: "dark" }, (page) => page.goto("/boards/feature-requests-demo")),
    ];
  } finally {
    await server.remove();
  }
}

async function fillWithDemo({ dataDir, databaseUrl }: TestSite): Promise<void> {
  const { code, output } = await runToEnd("scripts/demo.ts", { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, ["--people=100", "--posts=400", "--seed=7"]);
  if (code !== 0) throw new Error(`The site could not be filled: ${output}`);
}

async function writeDescription({ url, owner }: TestSite): Promise<void> {
  const headers = { authorization: `Bearer ${owner.authToken}`, "content-type": "application/json" };
  const description = "Tell us what would make your work easier. We read everything, and plan in public.";
  const answer = await fetch(`${url}/api/v1/settings/site`, { method: "PATCH", headers, body: JSON.stringify({ description }) });
  if (!answer.ok) throw new Error(`The description was answered ${answer.status}.`);
}

/** At its second step, with what shows in the preview filled in. */
async function fillWizard(page: Page): Promise<void> {
  await page.goto("/setup");
  await page.getByRole("button", { name: t("setup.steps.next") }).click();
  await page.locator("[name=siteTitle]").fill(OWNER.siteTitle);
  await page.locator("[name=accentColor]").fill("#6d3fc0");
  await page.locator("[name=name]").fill(OWNER.name);
  await page.locator("[name=email]").fill(OWNER.email);
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** As it is once the owner has confirmed their address and put the first steps away. */
async function openDashboard(page: Page, site: TestSite): Promise<void> {
  await signIn(page, site.owner);
  const { link } = await newestLetterTo(page, site.owner.email);
  await page.goto(link);
  await page
    .locator("main form")
    .getByRole("button", { name: t("confirm.submit") })
    .click();
  await page.getByText(t("confirm.done.text")).waitFor();
  await page.goto("/dashboard");
  await page.getByRole("button", { name: t("dashboard.firstSteps.putAway") }).click();
  await page.getByText(t("dashboard.firstSteps.hidden")).waitFor();
  await page.goto("/dashboard");
}

type Look = { viewport?: { width: number; height: number }; locale?: string; colorScheme?: "dark" };
