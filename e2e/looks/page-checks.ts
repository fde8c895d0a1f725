import AxeBuilder from "@axe-core/playwright";
import type { Frame, Page } from "@playwright/test";

const AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe finds on the page as it stands, `without` some of its rules: a line for each rule and place. */
export async function axeViolations(page: Page, without: string[] = []): Promise<string[]> {
  // The frame around a letter lets no script run in it, axe's neither. To take it out would surprise React, which may still have to come to it.
  // Reckons in the page itself: otherwise axe opens a blank one each time, of which Chromium at times refuses the next after dozens.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude("iframe").withTags(AXE_RULES).disableRules(without).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`));
}

/** What a page lacks of its skeleton (U20): one h1, the three landmarks, a skip link that comes first. */
export async function missingParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const problems: string[] = [];
    if (count("h1") !== 1) problems.push(`${count("h1")} h1`);
    for (const landmark of ["body > header", "main", "body > footer"]) if (count(landmark) !== 1) problems.push(`${count(landmark)} of ${landmark}`);
    if (document.querySelector("a, button, input")?.getAttribute("href") !== "#content") problems.push("no skip link first");
    if (!document.title) problems.push("no title");
    return problems;
  });
}

/** Controls that are smaller than `minimum` CSS pixels either way; links within a sentence may be (WCAG 2.2, 2.5.8). */
export async function smallTargets(page: Page, minimum: number): Promise<string[]> {
  return page.evaluate((least) => {
    const isInSentence = (element: Element) =>
      element.tagName === "A" &&
      getComputedStyle(element).display === "inline" &&
      (element.parentElement?.textContent ?? "").trim() !== element.textContent?.trim();
    // A control that its label enlarges, or that covers the whole card, is as large as that.
    const areaOf = (element: Element) => {
      const boxes = [element, ...((element as HTMLInputElement).labels ?? [])].map((part) => part.getBoundingClientRect());
      const cover = getComputedStyle(element, "::after");
      if (cover.content !== "none" && cover.position === "absolute") boxes.push((element.closest("li, tr") ?? element).getBoundingClientRect());
      return { width: Math.max(...boxes.map(({ width }) => width)), height: Math.max(...boxes.map(({ height }) => height)) };
    };
    const small: string[] = [];
    for (const element of document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, textarea")) {
      const isForEyes = element.checkVisibility({ visibilityProperty: true }) && !element.closest(".sr-only, [aria-hidden=true]");
      if (!isForEyes || isInSentence(element)) continue;
      const { width, height } = areaOf(element);
      // A scale factor may leave a hair's breadth less.
      if (width < least - 0.5 || height < least - 0.5) small.push(`${Math.round(width)}×${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`);
    }
    return small;
  }, minimum);
}

/** How far the page can be scrolled sideways, in pixels. */
export async function sidewaysScroll(page: Page | Frame): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Labels, buttons and headings whose words do not fit in them. What is cut on purpose, after so many lines, is not meant. */
export async function clippedLabels(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], label, legend, h1, h2, h3, summary, th, dt, nav span")]
      .filter((element) => element.checkVisibility() && !element.closest(".sr-only") && !element.matches(".sr-only"))
      .filter((element) => {
        const { overflowX, webkitLineClamp, textOverflow } = getComputedStyle(element);
        const isCutOnPurpose = webkitLineClamp !== "none" || textOverflow === "ellipsis";
        return overflowX !== "visible" && !isCutOnPurpose && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** What no translator touches: the API's methods and codes, addresses, and days as Intl names them. */
const SAME_EVERYWHERE = /^(?:[A-Z_]+|\/\S*|[A-Z][a-z]{2} \d{1,2})$/;

/** Texts of a page in the pseudo-locale that nobody translated: letters without a bracket or an accent anywhere near. `data` is what people typed. */
export async function untranslatedTexts(page: Page, data: readonly string[]): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest("script, style, code, pre, time, iframe, bdi, body [lang], option, [dir=auto]")
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    const found: string[] = [];
    while (walker.nextNode()) found.push((walker.currentNode.textContent ?? "").trim());
    return found;
  });
  // A text with markup in it is several nodes, of which the outer ones carry the brackets: accents tell.
  return texts.filter(
    (text) => /[a-z]{3}/i.test(text) && !SAME_EVERYWHERE.test(text) && !/[À-ž\u1e00-\u1eff[\]·]/.test(text) && !data.some((part) => text.includes(part)),
  );
}

/** Elements that move or fade although the system asks for less motion (U19). */
export async function movingElements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return animationName !== "none" || transitionDuration.split(",").some((duration) => Number.parseFloat(duration) > 0);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/**
 * That a page which lists nothing offers nowhere to go and nothing to do (U21). What leads up, or along a list, does not lead on; nor does what
 * stands on every page for whoever has not confirmed their address.
 */
export async function deadEnds(page: Page): Promise<string[]> {
  const main = page.locator("main");
  // Searching is the next step where nothing was looked for yet; where nothing was found, it is what led here.
  const search = new URL(page.url()).searchParams.has("q") ? "search *, [role=search] *, " : "";
  const waysOn = main.locator(`:is(a[href], button):not(${search}nav *, [data-banner] *)`).filter({ visible: true });
  const listed = main.locator("li:not(nav *)").filter({ visible: true });
  return (await waysOn.count()) + (await listed.count()) > 0 ? [] : ["no next step"];
}
