import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, type Source, walk } from "./source.ts";

const FILE = "messages/en.json";
const OTHER_LANGUAGE = /^messages\/(?!en\.json)[a-z]{2,3}(-\w+)?\.json$/;
const MAKERS = new Set(["useTranslations", "getTranslations", "createTranslator"]);
const METHODS = new Set(["rich", "markup", "raw", "has"]);

/** A key as it is written: whole, or with parts only known when it runs (`*`); `namespace` null where the translator came from elsewhere. */
type Use = { namespace: string | null; key: string; offset: number; source: Source };

/** Each key in messages/en.json is used, each key that is used is there, and every other language says the same with the same placeholders. */
export function checkMessages(sources: Source[]): Finding[] {
  const file = sources.find(({ path }) => path === FILE);
  if (!file) return [];
  const keys = [...textsOf(JSON.parse(file.text)).keys()];
  const uses = sources.flatMap((source) => (source.program && !isTest(source.path) ? usesOf(source) : []));
  const patterns = uses.map((use) => ({ use, pattern: patternOf(use) }));
  const unknown = patterns.filter(({ pattern }) => !keys.some((key) => pattern.test(key)));
  const unused = keys.filter((key) => !patterns.some(({ pattern }) => pattern.test(key)));
  return [
    ...unknown.map(({ use }) => ({ path: use.source.path, line: lineAt(use.source, use.offset), message: `uses "${use.key}", which ${FILE} does not have` })),
    ...unused.map((key) => ({ path: FILE, line: lineOfKey(file, key), message: `has "${key}", which nothing uses` })),
    ...sources.filter(({ path }) => OTHER_LANGUAGE.test(path)).flatMap((other) => compareLanguages(file, other)),
  ];
}

function compareLanguages(file: Source, other: Source): Finding[] {
  const [texts, translations] = [textsOf(JSON.parse(file.text)), textsOf(JSON.parse(other.text))];
  const findings = [...texts].flatMap(([key, text]) => {
    const translation = translations.get(key);
    if (translation === undefined) return [{ path: other.path, line: 1, message: `lacks "${key}"` }];
    const [expected, actual] = [slotsOf(text), slotsOf(translation)];
    if (expected === actual) return [];
    return [
      { path: other.path, line: lineOfKey(other, key), message: `has in "${key}" the slots ${actual || "none"} where English has ${expected || "none"}` },
    ];
  });
  const surplus = [...translations.keys()].filter((key) => !texts.has(key));
  return [...findings, ...surplus.map((key) => ({ path: other.path, line: lineOfKey(other, key), message: `has "${key}", which ${FILE} lacks` }))];
}

/** The names of a text's placeholders and tags. Words stand outside of braces and within a choice's branches, which are two deep. */
function slotsOf(text: string): string {
  const names = new Set<string>();
  let depth = 0;
  for (const [part, tag, placeholder] of text.matchAll(/<(\w+)>|\{\s*(\w*)|\}/g)) {
    if (tag) names.add(`<${tag}>`);
    if (part.startsWith("{") && depth % 2 === 0 && placeholder) names.add(placeholder);
    depth += part.startsWith("{") ? 1 : part === "}" ? -1 : 0;
  }
  return [...names].sort().join(" ");
}

function textsOf(messages: object, above = ""): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[`${above}${name}`, value]] : [...textsOf(value, `${above}${name}.`)],
  );
  return new Map(entries);
}

/** `t.raw` may ask for a whole branch, so what lies below a key counts as used with it. */
function patternOf({ namespace, key }: Use): RegExp {
  const escaped = (text: string) => text.replace(/[.[\](){}+?^$|\\]/g, "\\$&").replaceAll("*", ".+");
  const above = namespace === null ? "(?:.+\\.)?" : namespace === "" ? "" : `${escaped(namespace)}\\.`;
  return new RegExp(`^${above}${escaped(key)}(?:\\..+)?$`);
}

function lineOfKey(file: Source, key: string): number {
  let offset = 0;
  for (const name of key.split(".")) offset = Math.max(offset, file.text.indexOf(`"${name}":`, offset));
  return lineAt(file, offset);
}

function usesOf(source: Source): Use[] {
  const program = source.program as Node;
  if (!/ranslat|\bt[(.]/.test(source.text)) return [];
  const translators = translatorsOf(program);
  const uses: Use[] = [];
  walk(program, (node, ancestors) => {
    if (node.type !== "CallExpression") return;
    const name = translatorCalled(node);
    if (name === null) return;
    const known = translators.findLast((translator) => translator.name === name && (translator.scope === program || ancestors.includes(translator.scope)));
    if (!known && name !== "t") return;
    const key = keyIn(node.arguments[0]);
    if (key !== null) uses.push({ namespace: known ? known.namespace : null, key, offset: node.start, source });
  });
  return uses;
}

type Translator = { name: string; namespace: string | null; scope: Node };

/** `const t = useTranslations("boards")`, by the function that it stands in. */
function translatorsOf(program: Node): Translator[] {
  const translators: Translator[] = [];
  walk(program, (node, ancestors) => {
    if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier" || !node.init) return;
    const call = node.init.type === "AwaitExpression" ? node.init.argument : node.init;
    if (call.type !== "CallExpression" || call.callee.type !== "Identifier" || !MAKERS.has(call.callee.name)) return;
    const scope = ancestors.findLast(({ type }) => type.includes("Function")) ?? program;
    translators.push({ name: node.id.name, namespace: namespaceIn(call.arguments[0]), scope });
  });
  return translators;
}

function namespaceIn(argument: Node | undefined): string | null {
  if (!argument) return "";
  if (argument.type === "Literal") return String(argument.value);
  if (argument.type !== "ObjectExpression") return null;
  const named = argument.properties.find((property) => property.type === "Property" && property.key.type === "Identifier" && property.key.name === "namespace");
  if (!named) return "";
  return named.type === "Property" && named.value.type === "Literal" ? String(named.value.value) : null;
}

/** The name of the translator in `t("…")`, `t.rich("…")`. */
function translatorCalled({ callee }: Extract<Node, { type: "CallExpression" }>): string | null {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier" || callee.property.type !== "Identifier") return null;
  return METHODS.has(callee.property.name) ? callee.object.name : null;
}

/** Both sides of a condition count as one pattern too wide rather than as none. */
function keyIn(argument: Node | undefined): string | null {
  if (!argument) return null;
  if (argument.type === "Literal") return typeof argument.value === "string" ? argument.value : null;
  if (argument.type === "TemplateLiteral") return argument.quasis.map(({ value }) => value.cooked ?? "").join("*");
  return "*";
}
