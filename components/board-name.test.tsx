import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BoardName } from "./board-name.tsx";

test("a board's name runs its own way within a line that runs as the page does", () => {
  expect(renderToStaticMarkup(<BoardName name="What next?" />)).toMatch(/^<span [^>]*><bdi>What next\?<\/bdi><\/span>$/);
});

test("beside its tile a name's emoji is only read out, and runs with it", () => {
  expect(renderToStaticMarkup(<BoardName name="🚀 Launch" besideTile />)).toMatch(/<bdi><span class="sr-only">🚀 <\/span>Launch<\/bdi>/);
  expect(renderToStaticMarkup(<BoardName name="🚀 Launch" />)).toMatch(/<bdi>🚀 Launch<\/bdi>/);
});

test("a name that is cut is a box of its own direction, at whose end the dots stand, and begins where the page does", () => {
  expect(renderToStaticMarkup(<BoardName name="What next?" isCut />)).toBe('<span dir="auto" class="line-clamp-2 min-w-0">What next?</span>');
});
