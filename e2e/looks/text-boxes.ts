import type { Page } from "@playwright/test";

/**
 * Texts that are not where they should be: beyond the sides of the card, button or page that they stand in, cut off without a sign
 * that there is more, upon one another, or broken within a short word.
 */
export async function misplacedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // What a browser rounds away.
    const SLACK = 1.5;
    // What a line has room for, and nothing in it at which a line may be broken.
    const SHORT_WORD = /(?<!\S)[\p{L}\p{M}\d.,:]{2,16}(?!\S)/gu;
    type Text = { words: string; parent: Element; rects: DOMRect[]; broken: string[] };

    const isForEarsOnly = (element: Element) => {
      for (let place: Element | null = element; place; place = place.parentElement) {
        const { position, overflowX } = getComputedStyle(place);
        if (position === "absolute" && overflowX === "hidden" && place.clientWidth <= 1) return true;
      }
      return false;
    };
    const isCut = (element: Element) => getComputedStyle(element).overflowX !== "visible";
    const saysThereIsMore = (element: Element) => {
      const { textOverflow, webkitLineClamp } = getComputedStyle(element);
      return textOverflow === "ellipsis" || webkitLineClamp !== "none";
    };
    const isBox = (element: Element) => {
      const { borderInlineStartWidth, backgroundColor } = getComputedStyle(element);
      return Number.parseFloat(borderInlineStartWidth) > 0 || backgroundColor !== "rgba(0, 0, 0, 0)" || element === document.body;
    };
    const above = (element: Element, isWanted: (place: Element) => boolean) => {
      let place: Element | null = element;
      while (place && !isWanted(place)) place = place.parentElement;
      return place;
    };

    const brokenWords = (node: Node) =>
      [...(node.textContent ?? "").matchAll(SHORT_WORD)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [first, ...others] = [...range.getClientRects()];
        return others.some(({ top }) => Math.abs(top - (first?.top ?? top)) > SLACK) ? [word] : [];
      });

    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const words = (walker.currentNode.textContent ?? "").trim();
      if (!words || !parent?.checkVisibility({ visibilityProperty: true }) || parent.closest("script, style, option, svg, dialog") || isForEarsOnly(parent))
        continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      texts.push({ words: words.slice(0, 40), parent, rects: [...range.getClientRects()], broken: brokenWords(walker.currentNode) });
    }

    const found: string[] = [];
    for (const { words, parent, rects, broken } of texts) {
      found.push(...broken.map((word) => `"${word}" is broken`));
      const clip = above(parent, (place) => place !== document.body && isCut(place));
      const isMeant = clip !== null && above(parent, (place) => saysThereIsMore(place)) !== null;
      const box = above(parent, isBox)?.getBoundingClientRect();
      const limits = isMeant ? [] : [clip?.getBoundingClientRect(), box];
      for (const limit of limits)
        if (limit && rects.some(({ left, right }) => left < limit.left - SLACK || right > limit.right + SLACK)) found.push(`"${words}" leaves its box`);
    }
    // A line's box is taller than its letters: only what shares half of its height is written upon another.
    const isUpon = (one: DOMRect, other: DOMRect) => {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return width > 2 && height > Math.min(one.height, other.height) / 2;
    };
    const shown = texts.filter(({ parent }) => above(parent, (place) => saysThereIsMore(place)) === null);
    for (const [index, one] of shown.entries())
      for (const other of shown.slice(index + 1))
        if (one.rects.some((rect) => other.rects.some((otherRect) => isUpon(rect, otherRect)))) found.push(`"${one.words}" and "${other.words}" overlap`);
    return found;
  });
}
