import { globSync, readFileSync, statSync } from "node:fs";
import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A finding of a house rule, at a line of a file. */
export type Finding = { path: string; line: number; message: string };

/** A file as the rules read it: its path from the root, its text and, if it is code, its syntax tree. */
export type Source = { path: string; text: string; program?: Node };

const FOLDERS = ["app", "bench", "components", "e2e", "emails", "front", "lib", "messages", "prisma", "scripts", "server"];
/** What else people write. `.env` is theirs alone. */
const BESIDE = ["docs/**/*.md", "*.{ts,mjs,json,md,yaml}", "Dockerfile", ".{dockerignore,editorconfig,env.example,gitattributes,gitignore,npmrc}", ".ci/*"];
const CODE = /\.(ts|tsx|mjs)$/;

/** Every file of the house that people write, the root's included. */
export function readSources(): Source[] {
  const below = FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs,json,css,sql,prisma,md}`);
  const paths = globSync([...below, ...BESIDE], { exclude: ["prisma/generated/**", "**/node_modules/**", "next-env.d.ts"] });
  return paths.filter((path) => statSync(path).isFile()).map((path) => toSource(path, readFileSync(path, "utf8")));
}

/** Parses `text` if `path` is code. */
export function toSource(path: string, text: string): Source {
  if (!CODE.test(path)) return { path, text };
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return { path, text, program: program as Node };
}

/** Calls `visit` with every node below `root`, parents first, and the nodes it is in, the nearest last. */
export function walk(root: Node, visit: (node: Node, ancestors: Node[]) => void, ancestors: Node[] = []): void {
  visit(root, ancestors);
  const inside = [...ancestors, root];
  for (const child of childrenOf(root)) walk(child, visit, inside);
}

function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Record<string, unknown>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields[key]).filter((value): value is Node => typeof value === "object" && value !== null);
}

/** What a string or a template says, `…` where it is filled in; null for anything else. */
export function literalText(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  return node.type === "TemplateLiteral" ? node.quasis.map((quasi) => quasi.value.cooked ?? "").join("…") : null;
}

/** The line, from 1, in which the character at `offset` stands. */
export function lineAt({ text }: Source, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Tests, and what only they may import. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|^(e2e|bench)\/|^\w+\/testing\//.test(path);
}
