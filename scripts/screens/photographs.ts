import { join } from "node:path";
import type { Browser, Page } from "playwright";
import type { Cookies } from "#e2e/fixtures";
import { open, type SitePage } from "#e2e/looks/pages";
import { showProgress } from "../progress-bar.ts";

/** A page in one of its states: what the photograph is called, and how somebody gets there. */
export type State = { name: string; show(page: Page): Promise<unknown> };

/** Where photographs are taken: at a site's address, by somebody signed in with these cookies. */
export type Place = { url: string; cookies?: Cookies };

export type Shot = { file: string; label: string };

/** How a page is looked at. */
type Look = { width: number; scheme: "light" | "dark"; locale: string };

export const FOLDER = "screens";

const LOOKS: Look[] = [
  ...[375, 768, 1440].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme, locale: "en" }))),
  { width: 1440, scheme: "light", locale: "ar" },
  { width: 375, scheme: "dark", locale: "de" },
];

/** Photographs each state in every look into `FOLDER`. */
export async function photograph(browser: Browser, { url, cookies = [] }: Place, states: State[]): Promise<Shot[]> {
  const shots: Shot[] = [];
  const progress = showProgress();
  for (const { width, scheme, locale } of LOOKS) {
    const viewport = { width, height: 900 };
    const options = { viewport, colorScheme: scheme, reducedMotion: "reduce", timezoneId: "UTC" } as const;
    const context = await browser.newContext({ baseURL: url, ...options });
    await context.addCookies([...cookies, { name: "heard-locale", value: locale, url }]);
    const page = await context.newPage();
    for (const { name, show } of states) {
      await page.setViewportSize(viewport);
      await show(page);
      await fitFrames(page, width);
      const label = `${name} ${width} ${scheme} ${locale}`;
      const file = `${label.replaceAll(" ", ".")}.png`;
      await page.screenshot({ path: join(FOLDER, file), fullPage: true, animations: "disabled" });
      shots.push({ file, label });
      progress.update(shots.length, states.length * LOOKS.length);
    }
    await context.close();
  }
  progress.end();
  return shots;
}

/** A frame below the window is not drawn: where there is one, the window is as high as the page. */
async function fitFrames(page: Page, width: number): Promise<void> {
  if ((await page.locator("iframe").count()) === 0) return;
  await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
}

/** A page as it stands when somebody opens it. */
export function opened(sitePage: SitePage): State {
  return { name: nameOf(sitePage.as, sitePage.path, sitePage.deed?.name ?? ""), show: (page) => open(page, sitePage) };
}

/** The page at an address, as `who` sees it. */
export function at(who: string, path: string): State {
  return { name: nameOf(who, path), show: (page) => page.goto(path) };
}

/** What a file can be called after, without the ids and tokens that differ each time. */
function nameOf(...parts: string[]): string {
  const words = parts
    .join(" ")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
    .replace(/(?<=token=)[\w-]{20,}/, "that works");
  return words.replace(/[^\w]+/g, "-").replace(/-$/, "");
}

/** A page that shows all photographs. */
export function contactSheet(shots: Shot[]): string {
  const figures = shots.map(
    ({ file, label }) => `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${label}</figcaption></figure>`,
  );
  const style =
    "body{font:14px system-ui;display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}figure{margin:0}img{width:100%;border:1px solid #999}";
  return `<!doctype html><meta charset="utf-8"><title>Heard</title><style>${style}</style>${figures.join("\n")}\n`;
}
