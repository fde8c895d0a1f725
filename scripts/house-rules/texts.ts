import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, type Source, walk } from "./source.ts";

const ROOMS = /^(app|components|emails)\//;
/** Attributes that people see or hear. */
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
const METADATA = new Set(["title", "description", "default", "template"]);
/** Letters, but not an address of the site alone. */
const IS_WORDING = /^(?!\s*\/[\w/-]*\s*$).*\p{L}/su;
/** Their content is no text. */
const NOT_SHOWN = new Set(["script", "style"]);

/** What people read comes from messages/: no text, and no attribute that is read out, stands in the markup. */
export function checkTexts(sources: Source[]): Finding[] {
  return sources.flatMap((source) => {
    if (!source.program || !ROOMS.test(source.path) || isTest(source.path)) return [];
    const findings: Finding[] = [];
    walk(source.program, (node, ancestors) => {
      const text = visibleText(node, ancestors);
      if (text !== null && IS_WORDING.test(text))
        findings.push({ path: source.path, line: lineAt(source, node.start), message: `shows "${text.trim()}": put it into messages/en.json` });
    });
    return findings;
  });
}

function visibleText(node: Node, ancestors: Node[]): string | null {
  if (node.type === "JSXText") return node.value;
  const literal = literalText(node);
  if (literal === null) return null;
  const place = placeOf(ancestors);
  if (place?.type === "JSXAttribute") return SPOKEN.has(nameOf(place)) ? literal : null;
  if (place?.type === "JSXElement") return NOT_SHOWN.has(elementName(place)) ? null : literal;
  if (place?.type === "JSXFragment") return literal;
  return isMetadata(ancestors) ? literal : null;
}

function literalText(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type === "TemplateLiteral") return node.quasis.map((quasi) => quasi.value.cooked ?? "").join("");
  return null;
}

/** The markup that shows this value: through braces, either side of a condition, a concatenation. */
function placeOf(ancestors: Node[]): Node | undefined {
  for (const [index, node] of [...ancestors.entries()].reverse()) {
    const child = ancestors[index + 1];
    const isTested = (node.type === "ConditionalExpression" && node.test === child) || (node.type === "BinaryExpression" && node.operator !== "+");
    if (isTested) return undefined;
    if (["JSXAttribute", "JSXElement", "JSXFragment"].includes(node.type)) return node;
    if (!["JSXExpressionContainer", "ConditionalExpression", "LogicalExpression", "BinaryExpression", "ParenthesizedExpression"].includes(node.type))
      return undefined;
  }
  return undefined;
}

function nameOf(attribute: Extract<Node, { type: "JSXAttribute" }>): string {
  return attribute.name.type === "JSXIdentifier" ? attribute.name.name : "";
}

function elementName({ openingElement }: Extract<Node, { type: "JSXElement" }>): string {
  return openingElement.name.type === "JSXIdentifier" ? openingElement.name.name : "";
}

/** `export const metadata = { title: "…" }`, and what `generateMetadata` returns. */
function isMetadata(ancestors: Node[]): boolean {
  const property = ancestors.at(-1);
  if (property?.type !== "Property" || property.key.type !== "Identifier" || !METADATA.has(property.key.name)) return false;
  return ancestors.some(
    (node) =>
      (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.id.name === "metadata") ||
      (node.type === "FunctionDeclaration" && node.id?.name === "generateMetadata"),
  );
}
