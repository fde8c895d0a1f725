import { expect, type Locator, type Page } from "@playwright/test";

const MOST_STOPS = 120;
const LEAST_OUTLINE = 2;

/** Presses Tab until `target` has the focus, as somebody without a mouse does; every stop on the way has to be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
    expect(await unseenFocus(page)).toEqual([]);
  }
  throw new Error(`The keyboard does not reach ${target}`);
}

/** Types `text` into a field in the place of what is there. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}

/** Presses `key`, waits for what comes of it, and expects that the focus is somewhere then, and seen. */
export async function press(page: Page, key: string, settled: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await page.keyboard.press(key);
  await settled();
  await expectFocus(page);
}

/** Goes to a link or a button by Tab and presses Enter on it. */
export async function enter(page: Page, target: Locator, settled: () => Promise<unknown>): Promise<void> {
  await tabTo(page, target);
  await press(page, "Enter", settled);
}

/** Expects that the focus is not lost. Where another document was loaded, the browser begins at its top, as it should. */
async function expectFocus(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => "isOld" in window && document.activeElement === document.body), { message: `the focus is lost on ${page.url()}` })
    .toBe(false);
  expect(await unseenFocus(page)).toEqual([]);
}

/**
 * What has the focus, unless that is seen: by an outline of its own, one drawn over it, or one around its field. Places that nobody
 * can operate, such as the main part, get the focus to be read out and need none.
 */
export function unseenFocus(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const element = document.activeElement;
    if (!element || element === document.body || element.matches("main, h1, h2")) return [];
    const isOutlined = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
      outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= least && !/(, 0|\/ 0)\)$/.test(outlineColor);
    const around = [element, element.closest("label"), element.closest("form")].filter((part) => part !== null);
    const isSeen = isOutlined(getComputedStyle(element, "::after")) || around.some((part) => isOutlined(getComputedStyle(part)));
    return isSeen ? [] : [`${location.pathname}: ${element.outerHTML.slice(0, 160)}`];
  }, LEAST_OUTLINE);
}
