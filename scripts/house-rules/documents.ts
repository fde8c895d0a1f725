import { existsSync } from "node:fs";
import { posix } from "node:path";
import { type Finding, lineAt, type Source } from "./source.ts";

const DOCUMENT = /\.md$/;
const LINK = /\]\(([^)\s]+)\)/g;
/** A path in a room, as it is written: without the gaps of `server/<noun>.ts` or `app/…/page.tsx`. */
const NAMED_PATH = /`((?:app|bench|components|docs|e2e|emails|front|lib|messages|prisma|public|scripts|server)\/[\w.()[\]/-]*)`/g;
/** A test by its sentence and its file, as proofs are cited: "a token is ...": `lib/tokens.test.ts`. */
const CITED_TEST = /"([^"\n]+)": `([\w./[\]()-]+\.(?:test|spec)\.tsx?)`/g;
const COMMAND = /\bnpm run ([\w:-]+)/g;

/** What the documents name is there: the files that they link to, the paths in their code, the tests whose sentence they cite, the commands of npm. */
export function checkDocuments(sources: Source[], exists: (path: string) => boolean = existsSync): Finding[] {
  const manifest = sources.find(({ path }) => path === "package.json");
  const commands = Object.keys(manifest ? JSON.parse(manifest.text).scripts : {});
  const documents = sources.filter(({ path }) => DOCUMENT.test(path));
  return documents.flatMap((document) => [
    ...findIn(document, LINK, (link) => (isMissing(document, link, exists) ? `links to ${link}, which is not there` : null)),
    ...findIn(document, NAMED_PATH, (path) => (exists(path) ? null : `names ${path}, which is not there`)),
    ...findUncitable(document, sources),
    ...findIn(document, COMMAND, (command) => (commands.includes(command) ? null : `names npm run ${command}, which package.json does not have`)),
  ]);
}

function findIn(document: Source, pattern: RegExp, problemWith: (named: string) => string | null): Finding[] {
  return [...document.text.matchAll(pattern)].flatMap(({ 1: named = "", index }) => {
    const message = problemWith(named);
    return message ? [{ path: document.path, line: lineAt(document, index), message }] : [];
  });
}

function findUncitable(document: Source, sources: Source[]): Finding[] {
  return [...document.text.matchAll(CITED_TEST)].flatMap(({ 1: sentence = "", 2: file = "", index }) => {
    const test = sources.find(({ path }) => path === file);
    if (test?.text.includes(sentence)) return [];
    return [{ path: document.path, line: lineAt(document, index), message: `cites "${sentence}", which is no test of ${file}` }];
  });
}

/** Addresses elsewhere, and places on the same page, are not looked at. */
function isMissing({ path }: Source, link: string, exists: (path: string) => boolean): boolean {
  const [file = ""] = link.split("#");
  return file !== "" && !URL.canParse(link) && !exists(posix.join(posix.dirname(path), file));
}
