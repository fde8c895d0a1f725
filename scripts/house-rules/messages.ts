import type { Node } from "oxc-parser";
import { type Finding, isTest, lineAt, type Source, walk } from "./source.ts";

const FILE = "messages/en.json";
const OTHER_LANGUAGE = /^messages\/(?!en\.json)[a-z]{2,3}(-\w+)?\.json$/;
const MAKERS = new Set(["useTranslations", "getTranslations", "createTranslator"]);
const METHODS = new Set(["rich", "markup", "raw", "has"]);
/** What a page without more to say of itself is called by (app/pages.tsx), and by which text where it names none. */
const TITLER = { name: "titled", key: "title" };

/** A key as it is written: whole, or with parts only known when it runs (`*`); `namespace` null where the translator came from elsewhere. */
type Use = { namespace: string | null; key: string; offset: number; source: Source };
type Call = Extract<Node, { type: "CallExpression" }>;

/** Each key in messages/en.json is used, each key that is used is there, and every other language says the same with the same placeholders, in letters that the site brings. */
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
    ...sources.filter(({ path }) => OTHER_LANGUAGE.test(path)).flatMap((other) => [...compareLanguages(file, other), ...lettersWithoutGlyph(other)]),
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

/** Figtree has no no-break hyphen: each would come from another typeface. */
function lettersWithoutGlyph(file: Source): Finding[] {
  const message = "has a no-break hyphen, for which the site's typeface has no glyph: write -\\u2060";
  return file.text.split("\n").flatMap((line, index) => (/\u2011|\\u2011/.test(line) ? [{ path: file.path, line: index + 1, message }] : []));
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
  if (!/ranslat|\bt[(.]|\btitled\(/.test(source.text)) return [];
  const translators = translatorsOf(program);
  const uses: Use[] = [];
  walk(program, (node, ancestors) => {
    if (node.type !== "CallExpression") return;
    const known = translators.filter(({ scope }) => scope === program || ancestors.includes(scope));
    const { namespace, key } = titleAskedIn(node) ?? textAskedIn(node, known);
    // Where neither is known every text would count as used, and none would ever be left over.
    if (key !== null && (namespace !== null || key !== "*")) uses.push({ namespace, key, offset: node.start, source });
  });
  return uses;
}

type Asked = { namespace: string | null; key: string | null };

function titleAskedIn({ callee, arguments: [namespace, key] }: Call): Asked | null {
  if (callee.type !== "Identifier" || callee.name !== TITLER.name) return null;
  return { namespace: namespaceIn(namespace), key: key ? keyIn(key) : TITLER.key };
}

/** The text of `t("…")`, `t.rich("…")`, `(await getTranslations("boards"))("…")`. */
function textAskedIn(call: Call, known: Translator[]): Asked {
  const translator = translatorCalled(call);
  const made = translator && makerIn(translator);
  const key = keyIn(call.arguments[0]);
  if (made) return { namespace: namespaceIn(made.arguments[0]), key };
  if (translator?.type !== "Identifier") return { namespace: null, key: null };
  const named = known.findLast(({ name }) => name === translator.name);
  return { namespace: named ? named.namespace : null, key: named || translator.name === "t" ? key : null };
}

type Translator = { name: string; namespace: string | null; scope: Node };

/** Every `const t = useTranslations("boards")`, also as one of several in a pattern, by the function that it stands in. */
function translatorsOf(program: Node): Translator[] {
  const translators: Translator[] = [];
  walk(program, (node, ancestors) => {
    if (node.type !== "VariableDeclarator" || !node.init) return;
    const scope = ancestors.findLast(({ type }) => type.includes("Function")) ?? program;
    for (const { name, value } of namedIn(node.id, node.init)) {
      const made = makerIn(value);
      if (made) translators.push({ name, namespace: namespaceIn(made.arguments[0]), scope });
    }
  });
  return translators;
}

/** What each name is given in `const t = …`, `const [t, tSite] = […, …]` and `const [t, tSite] = await Promise.all([…, …])`. */
function namedIn(pattern: Node, value: Node): { name: string; value: Node }[] {
  if (pattern.type === "Identifier") return [{ name: pattern.name, value }];
  if (pattern.type !== "ArrayPattern") return [];
  const values = elementsOf(value);
  return pattern.elements.flatMap((element, index) => {
    const given = values[index];
    return element && given ? namedIn(element, given) : [];
  });
}

/** Those of a list, or of the one that `Promise.all` waits for: as far as their places are known, so up to the first that is spread. */
function elementsOf(value: Node): (Node | null)[] {
  const list = bare(value);
  if (list.type === "CallExpression" && isPromiseAll(list.callee) && list.arguments[0]) return elementsOf(list.arguments[0]);
  if (list.type !== "ArrayExpression") return [];
  const spreadAt = list.elements.findIndex((element) => element?.type === "SpreadElement");
  return spreadAt < 0 ? list.elements : list.elements.slice(0, spreadAt);
}

function isPromiseAll(callee: Node): boolean {
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier" || callee.property.type !== "Identifier") return false;
  return callee.object.name === "Promise" && callee.property.name === "all";
}

/** The call that makes the translator which `value` is; null for anything else. */
function makerIn(value: Node): Call | null {
  const call = bare(value);
  return call.type === "CallExpression" && call.callee.type === "Identifier" && MAKERS.has(call.callee.name) ? call : null;
}

/** Without parentheses and `await`. */
function bare(node: Node): Node {
  if (node.type === "ParenthesizedExpression") return bare(node.expression);
  return node.type === "AwaitExpression" ? bare(node.argument) : node;
}

function namespaceIn(argument: Node | undefined): string | null {
  if (!argument) return "";
  if (argument.type === "Literal" || argument.type === "TemplateLiteral") return keyIn(argument);
  if (argument.type !== "ObjectExpression") return null;
  const named = argument.properties.find((property) => property.type === "Property" && property.key.type === "Identifier" && property.key.name === "namespace");
  if (!named) return "";
  return named.type === "Property" && named.value.type === "Literal" ? keyIn(named.value) : null;
}

/** What stands for the translator in `t("…")`, `t.rich("…")`. */
function translatorCalled({ callee }: Call): Node | null {
  if (callee.type !== "MemberExpression") return callee;
  return callee.property.type === "Identifier" && METHODS.has(callee.property.name) ? callee.object : null;
}

/** Both sides of a condition count as one pattern too wide rather than as none. */
function keyIn(argument: Node | undefined): string | null {
  if (!argument) return null;
  if (argument.type === "Literal") return typeof argument.value === "string" ? argument.value : null;
  if (argument.type === "TemplateLiteral") return argument.quasis.map(({ value }) => value.cooked ?? "").join("*");
  return "*";
}
