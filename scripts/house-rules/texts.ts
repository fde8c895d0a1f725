import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, literalText, type Source, walk } from "./source.ts";

/** What is shown. What `server/` and `lib/` say is the API's English, which server/openapi documents, or for whoever runs the site. */
const ROOMS = /^(app|components|emails)\//;
/** Attributes that people see or hear, whatever stands in them. */
const SPOKEN = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "description",
  "hint",
  "label",
  "placeholder",
  "title",
]);
/** Attributes and properties that only a browser or a search engine reads. */
const UNSPOKEN = /^@|^(rel|style)$|className$/i;
/** What these are given is read by a program, or by whoever writes or runs this one. */
const UNSPOKEN_CALLS = /^(log\.\w+|logFailure|matchMedia|\w*Error|.+\.(querySelector|querySelectorAll|closest|matches))$/;
/** Their content is no text. */
const NOT_SHOWN = new Set(["script", "style"]);

/** Letters, but not an address of the site alone. */
const IS_WORDING = /^(?!\s*…?\/[\w/…-]*\s*$).*\p{L}/su;
/** A word or a sentence with its capital; two words side by side; letters that know no capitals. */
const FOR_PEOPLE = [
  /^\s*(\p{Lu} \p{L}|\p{Lu}\p{Ll}+(-\p{Ll}+)*([\s.,:;!?…)'’]|$))/u,
  /(?<![\p{L}\p{N}_.:/'-])\p{L}{2,}[.,:;!?]? \p{L}{2,}(?![\p{L}\p{N}_:/=([-]|\.\p{L})/u,
  /(?<![\p{L}\p{N}_.:/'-])\p{L}{2,}[,:]? …|… \p{L}{2,}(?![\p{L}\p{N}_:/=([-])/u,
  /\p{Lo}/u,
];
/** Commands, styles, schemes and typefaces, lines of robots.txt. */
const FOR_PROGRAMS = /^\s*(npm|docker|curl|-H) |\{[^}]*:[^}]*;|, sans-serif$|^(light dark|Arial)$|^(User-agent|Allow|Disallow|Sitemap): /;

/** What people read comes from messages/: nothing that reads like words for them stands in the rooms that show it. */
export function checkTexts(sources: Source[]): Finding[] {
  return sources.flatMap((source) => {
    if (!source.program || !ROOMS.test(source.path) || isTest(source.path)) return [];
    const findings: Finding[] = [];
    walk(source.program, (node, ancestors) => {
      const text = node.type === "JSXText" ? node.value : literalText(node);
      const isShown = text !== null && (isInMarkup(node, ancestors) ? IS_WORDING.test(text) : isForPeople(text) && mayBeShown(source, ancestors));
      if (isShown) findings.push({ path: source.path, line: lineAt(source, node.start), message: `shows "${text.trim()}": put it into messages/en.json` });
    });
    return findings;
  });
}

/** The markup shows this value as it is: through braces, either side of a condition, a concatenation. */
function isInMarkup(node: Node, ancestors: Node[]): boolean {
  if (node.type === "JSXText") return true;
  const place = placeOf(node, ancestors);
  if (place?.type === "JSXAttribute") return SPOKEN.has(nameOf(place) ?? "");
  if (place?.type === "JSXElement") return !NOT_SHOWN.has(elementName(place));
  return place?.type === "JSXFragment";
}

function placeOf(node: Node, ancestors: Node[]): Node | undefined {
  const passed = ["JSXExpressionContainer", "ConditionalExpression", "LogicalExpression", "BinaryExpression", "ParenthesizedExpression"];
  const index = ancestors.findLastIndex(({ type }) => !passed.includes(type));
  return [...ancestors.slice(index + 1), node].some((inside, at) => isTested(inside, ancestors[index + at])) ? undefined : ancestors[index];
}

function isTested(node: Node, parent: Node | undefined): boolean {
  return (parent?.type === "ConditionalExpression" && parent.test === node) || (parent?.type === "BinaryExpression" && parent.operator !== "+");
}

function isForPeople(text: string): boolean {
  return FOR_PEOPLE.some((look) => look.test(text)) && !FOR_PROGRAMS.test(text) && !isClassNames(text);
}

/** Nothing is written large, and a third of the names, or more, have parts. */
function isClassNames(text: string): boolean {
  const names = text.trim().split(/\s+/);
  return !/[A-Z]/.test(text) && names.filter((name) => /\w[:-][\w[]/.test(name)).length * 3 >= names.length;
}

/** It is no directive, type, or side of a comparison, and nothing that it stands in is for programs only. */
function mayBeShown(source: Source, ancestors: Node[]): boolean {
  const parent = ancestors.at(-1);
  if (!parent || ["ExpressionStatement", "TSLiteralType", "SwitchCase"].includes(parent.type)) return false;
  if (parent.type === "BinaryExpression" && parent.operator !== "+") return false;
  return !ancestors.some((node) => UNSPOKEN.test(nameOf(node) ?? "") || UNSPOKEN_CALLS.test(calleeOf(source, node)));
}

function nameOf(node: Node): string | null {
  if (node.type === "JSXAttribute") return node.name.type === "JSXIdentifier" ? node.name.name : null;
  if (node.type !== "Property") return null;
  if (node.key.type === "Identifier") return node.key.name;
  return node.key.type === "Literal" ? String(node.key.value) : null;
}

function calleeOf({ text }: Source, node: Node): string {
  return node.type === "CallExpression" || node.type === "NewExpression" ? text.slice(node.callee.start, node.callee.end) : "";
}

function elementName({ openingElement }: Extract<Node, { type: "JSXElement" }>): string {
  return openingElement.name.type === "JSXIdentifier" ? openingElement.name.name : "";
}
