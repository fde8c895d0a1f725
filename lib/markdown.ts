import MarkdownIt, { type Token } from "markdown-it";

/** A piece of a text: words as they are, or an element around more pieces. Nothing else can come out, whatever was typed. */
export type MarkdownNode = string | { element: MarkdownElement; href?: string; children: MarkdownNode[] };
export type MarkdownElement = "p" | "strong" | "em" | "code" | "pre" | "a" | "ul" | "ol" | "li" | "blockquote" | "br";

/** What people may write: emphasis, code, links, lists, quotations. No HTML, no headings, and no pictures, which would have readers ask other hosts. */
const RULES = ["newline", "escape", "backticks", "emphasis", "link", "autolink", "linkify", "list", "blockquote", "fence"];
/** Nobody nests deeper, and what is drawn is drawn by recursion. */
const MAX_NESTING = 50;
const ELEMENTS = new Set<string>(["p", "strong", "em", "code", "a", "ul", "ol", "li", "blockquote", "br"] satisfies MarkdownElement[]);

const parser = new MarkdownIt("zero", { breaks: true, linkify: true, maxNesting: MAX_NESTING }).enable(RULES);
// An address becomes a link only with its scheme: "index.html" and "a.b" are words.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url);

/** What a text says in CommonMark (spec.commonmark.org), as far as `RULES` go; the rest stays the words it is. `isLine`: nothing in it begins a list or a quotation. */
export function parseMarkdown(text: string, { isLine = false } = {}): MarkdownNode[] {
  return treeOf(isLine ? parser.parseInline(text, {}) : parser.parse(text, {}));
}

/** The words of one line of it, for where no element can stand: a feed, a card, a search engine. */
export function plainTextOf(text: string): string {
  return wordsOf(parseMarkdown(text, { isLine: true }));
}

function wordsOf(nodes: MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : node.element === "br" ? " " : wordsOf(node.children))).join("");
}

/** The parser gives what opens and what closes one after another. */
function treeOf(tokens: Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open = [root];
  for (const token of tokens) {
    const siblings = open.at(-1) as MarkdownNode[];
    if (token.nesting < 0) open.pop();
    // A link that leads nowhere is its words.
    else if (token.type === "link_open" && !token.attrGet("href")) open.push(siblings);
    else if (token.nesting > 0) {
      const node: MarkdownNode = { element: elementOf(token), href: token.attrGet("href")?.toString(), children: [] };
      siblings.push(node);
      open.push(node.children);
    } else siblings.push(...leavesOf(token));
  }
  return root;
}

function leavesOf(token: Token): MarkdownNode[] {
  switch (token.type) {
    case "inline":
      return treeOf(token.children ?? []);
    case "code_inline":
      return [{ element: "code", children: [token.content] }];
    case "fence":
      return [{ element: "pre", children: [token.content] }];
    case "softbreak":
    case "hardbreak":
      return [{ element: "br", children: [] }];
    default:
      return token.content ? [token.content] : [];
  }
}

function elementOf({ tag }: Token): MarkdownElement {
  return ELEMENTS.has(tag) ? (tag as MarkdownElement) : "p";
}
