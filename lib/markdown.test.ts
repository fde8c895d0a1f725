import fc from "fast-check";
import { expect, test } from "vitest";
import { type MarkdownNode, parseMarkdown, plainTextOf } from "./markdown.ts";
import { reportBar } from "./testing/bars.ts";
import { isFullScale, scale } from "./testing/scale.ts";

const MAX_LENGTH = 10_000;
const MAX_MS = 200;
const FUZZ_MS = scale(2_000, 3_600_000);

const fill = (shape: string) => shape.repeat(Math.ceil(MAX_LENGTH / shape.length)).slice(0, MAX_LENGTH);
const grown = (line: (index: number) => string) =>
  Array.from({ length: 140 }, (_, index) => line(index))
    .join("")
    .slice(0, MAX_LENGTH);

/** Shapes that have cost parsers of Markdown quadratic time, or their stack. */
const SHAPES: Record<string, string> = {
  quotations: fill(">"),
  "spaced quotations": fill("> "),
  "open brackets": fill("["),
  "empty links": fill("[]("),
  "links in links": fill("[a](b"),
  "an address of open parentheses": `[a](${"(".repeat(MAX_LENGTH)}`.slice(0, MAX_LENGTH),
  pictures: fill("!["),
  "angle addresses": fill("](<"),
  "open angles": fill("<"),
  "automatic links": fill("<https://a"),
  stars: fill("*"),
  "open emphasis": fill("*a "),
  "emphasis within words": fill("a**b"),
  "mixed emphasis": fill("*a **b "),
  underscores: fill("_a__ "),
  backticks: grown((index) => `${"`".repeat(index)} `),
  "nested lists": grown((index) => `${" ".repeat(index)}- a\n`),
  "lists in lists": fill("- "),
  "numbers in numbers": fill("1. "),
  fences: fill("```\n"),
  backslashes: fill("\\\n"),
  entities: fill("&amp"),
  "HTML tags": fill("<a "),
  "HTML comments": fill("<!--"),
  addresses: fill("https://a.b "),
  schemes: fill("https://"),
  "an address with no end": `https://a/${"(".repeat(MAX_LENGTH)}`.slice(0, MAX_LENGTH),
  "mail addresses": fill("mailto:a@b."),
  NULs: fill("\0a"),
  "half characters": fill("\ud800"),
  mixed: fill("*_`["),
};

const ELEMENTS = ["p", "strong", "em", "code", "pre", "a", "ul", "ol", "li", "blockquote", "br"];

/** Every element of a text with its link, as `a=https://…`. */
function elementsOf(nodes: MarkdownNode[]): string[] {
  return nodes.flatMap((node) =>
    typeof node === "string" ? [] : [node.href === undefined ? node.element : `${node.element}=${node.href}`, ...elementsOf(node.children)],
  );
}

function expectHarmless(text: string, isLine: boolean): void {
  for (const element of elementsOf(parseMarkdown(text, { isLine }))) {
    const [name = "", href] = element.split(/=(.*)/s);
    expect(ELEMENTS).toContain(name);
    expect(name === "a").toBe(href !== undefined);
    if (href !== undefined) expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
  }
}

test("I7: no shape of 10,000 characters takes long, or throws", () => {
  let [slowestMs, slowest] = [0, ""];
  for (const [name, text] of Object.entries(SHAPES)) {
    for (const isLine of [true, false]) {
      const startedAt = performance.now();
      expectHarmless(text, isLine);
      const tookMs = performance.now() - startedAt;
      if (tookMs > slowestMs) [slowestMs, slowest] = [Math.round(tookMs), name];
    }
  }

  const figure = `${slowestMs} ms (${slowest})`;
  reportBar({
    bar: "I7",
    measure: `slowest of ${Object.keys(SHAPES).length} shapes of ${MAX_LENGTH} characters`,
    figure,
    ok: slowestMs <= MAX_MS,
  });
  if (isFullScale) expect([slowest, slowestMs <= MAX_MS]).toEqual([slowest, true]);
});

test("I7: whatever is typed comes out as the few elements there are, and links lead to pages and mail", { timeout: FUZZ_MS + 20_000 }, () => {
  const pieces = [
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "[",
    "](",
    ")",
    "<",
    ">",
    "![",
    "> ",
    "- ",
    "1. ",
    "\n",
    "\\",
    "&lt;",
    "javascript:",
    "data:",
    "https://a.b",
    "a@b.c",
    "<script>",
    " ",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 400 })
    .map((parts) => parts.join("").slice(0, MAX_LENGTH));
  let tried = 0;
  fc.assert(
    fc.property(text, fc.boolean(), (typed, isLine) => {
      tried++;
      expectHarmless(typed, isLine);
      expect(plainTextOf(typed)).toEqual(expect.any(String));
    }),
    { numRuns: 1_000_000_000, interruptAfterTimeLimit: FUZZ_MS, markInterruptAsFailure: false },
  );
  reportBar({
    bar: "I7",
    measure: `texts tried in ${FUZZ_MS / 1000} s that threw or came out as something else`,
    figure: `0 of ${tried}`,
    ok: true,
  });
});

test.for([
  ["*a* **b** `c`", ["em", "strong", "code"]],
  ["[a](https://example.org/x)", ["a=https://example.org/x"]],
  ["<https://example.org> and https://example.org/y.", ["a=https://example.org", "a=https://example.org/y"]],
  ["[write](mailto:ada@example.org)", ["a=mailto:ada@example.org"]],
  ["- a\n- b\n\n> c\n\n1. d", ["ul", "li", "p", "li", "p", "blockquote", "p", "ol", "li", "p"]],
  ["```\na\n```", ["pre"]],
  ["a\nb", ["p", "br"]],
] as const)("%j comes out as %j", ([text, elements]) => {
  const isLine = !text.includes("\n");

  expect(elementsOf(parseMarkdown(text, { isLine }))).toEqual(elements);
});

test.for([
  "<b>bold</b>",
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](java\nscript:alert(1))",
  "[x](data:text/html,x)",
  "[x](vbscript:x)",
  "[x](//example.org)",
  "[x](/dashboard)",
  "# no heading",
  "example.org and index.html",
  "- no list in a line",
])("%j stays the words it is", (text) => {
  expect(elementsOf(parseMarkdown(text, { isLine: true })).filter((element) => element !== "br")).toEqual([]);
  if (!text.includes("\n")) expect(plainTextOf(text)).toBe(text);
});

test("a picture is a link to it: nothing of another host is asked for by reading", () => {
  expect(elementsOf(parseMarkdown("![cat](https://example.org/cat.png)", { isLine: true }))).toEqual(["a=https://example.org/cat.png"]);
});

test("where no element can stand there are the words alone", () => {
  expect(plainTextOf("*Ideas* for `heard`, see [the plan](https://example.org)\nand https://example.org/x")).toBe(
    "Ideas for heard, see the plan and https://example.org/x",
  );
});
