import { expect, test } from "vitest";
import { findings } from "../testing/findings.ts";
import { checkMessages } from "./messages.ts";

const en = JSON.stringify({ boards: { title: "Boards", empty: { hint: "None yet" } }, errors: { NOT_FOUND: "Not here" } }, null, 2);

test("a key that nothing uses is a finding at its line", () => {
  const page = 'const t = useTranslations("boards"); t("title"); const e = useTranslations(); e("errors.NOT_FOUND");';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toEqual(['messages/en.json:5 has "boards.empty.hint", which nothing uses']);
});

test("a key that does not exist is a finding where it is used", () => {
  const page = 'async function Page() {\n  const t = await getTranslations("boards");\n  return t.rich("titel");\n}';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toContain(
    'app/page.tsx:3 uses "titel", which messages/en.json does not have',
  );
});

test("a key made while running uses all that it can become", () => {
  const page =
    'const t = useTranslations("errors"); t(code); const b = createTranslator({ namespace: "boards", locale }); b("title"); b.raw("empty"); t(`NOT_${what}`);';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toEqual([]);
});

test("every language says what English says, with the same placeholders and tags", () => {
  const page = 'const t = useTranslations(); t("a"); t("b"); t("c");';
  const en = JSON.stringify({ a: "{count, plural, one {# board} other {# boards}} in <b>all</b>", b: "B", c: "Hello {name}" });
  const de = JSON.stringify({ a: "insgesamt {count, plural, one {Eines} other {# Boards}}", c: "Hallo {name}", d: "D" });

  expect(findings(checkMessages, { "messages/en.json": en, "messages/de.json": de, "app/page.tsx": page })).toEqual([
    'messages/de.json:1 has in "a" the slots count where English has <b> count',
    'messages/de.json:1 lacks "b"',
    'messages/de.json:1 has "d", which messages/en.json lacks',
  ]);
});

test("a hyphen that the site's typeface lacks is a finding at its line", () => {
  const page = 'const t = useTranslations(); t("a");';
  const en = JSON.stringify({ a: "Email" });

  expect(findings(checkMessages, { "messages/en.json": en, "messages/de.json": JSON.stringify({ a: "E\u2011Mail" }, null, 2), "app/page.tsx": page })).toEqual([
    "messages/de.json:2 has a no-break hyphen, for which the site's typeface has no glyph: write -\\u2060",
  ]);
  expect(findings(checkMessages, { "messages/en.json": en, "messages/de.json": '{\n  "a": "E\\u2011Mail"\n}', "app/page.tsx": page })).toEqual([
    "messages/de.json:2 has a no-break hyphen, for which the site's typeface has no glyph: write -\\u2060",
  ]);
  expect(findings(checkMessages, { "messages/en.json": en, "messages/de.json": JSON.stringify({ a: "E-\u2060Mail" }, null, 2), "app/page.tsx": page })).toEqual(
    [],
  );
});

test("two functions may each have a translator of their own", () => {
  const page =
    'function A() { const t = useTranslations("boards"); t("title"); t("empty.hint"); } function B() { const t = useTranslations("errors"); t("NOT_FOUND"); }';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toEqual([]);
});

test.each([
  'const [t, { motto }] = await Promise.all([getTranslations("boards"), getMotto()]); t("titel"); t("NOT_FOUND");',
  'const [viewer, [, t]] = await Promise.all([currentViewer(), Promise.all([getMotto(), getTranslations("boards")])]); t("titel"); t("NOT_FOUND");',
  'const [tErrors, t] = [useTranslations("errors"), useTranslations("boards")]; t("titel"); t("NOT_FOUND"); tErrors("NOT_FOUND");',
  '(await getTranslations("boards"))("titel"); (await getTranslations("boards")).rich("NOT_FOUND");',
  'export const generateMetadata = titled("boards", "titel"); export const other = titled("boards", "NOT_FOUND");',
])("whichever way a translator came, its texts are those of its namespace: %s", (page) => {
  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page }).filter((finding) => finding.startsWith("app/"))).toEqual([
    'app/page.tsx:1 uses "titel", which messages/en.json does not have',
    'app/page.tsx:1 uses "NOT_FOUND", which messages/en.json does not have',
  ]);
});

test("a page's title is a text, and without a key of its own the one named so", () => {
  const titles = 'export const generateMetadata = titled("boards"); titled("boards", "empty.hint"); titled("errors", "NOT_FOUND");';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": titles })).toEqual([]);
  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": `${titles} titled("motto");` })).toEqual([
    'app/page.tsx:1 uses "title", which messages/en.json does not have',
  ]);
});

test("where neither namespace nor key is known no text counts as used, and where the namespace is in part those that it can become", () => {
  const unknown = "export const titled = (namespace, key) => useTranslations(namespace)(key); function Row({ t, text }) { t(text); }";
  const page = `${unknown} function Page() { const t = useTranslations("boards"); t("title"); t("empty.hint"); }`;

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toEqual(['messages/en.json:9 has "errors.NOT_FOUND", which nothing uses']);
  const inPart = `${page} const e = useTranslations(\`err\${end}\`); e(text);`;
  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": inPart })).toEqual([]);
});

test("a translator whose place in a list is not known may be of any namespace", () => {
  const page = 'const [, t] = [...pair, useTranslations("boards")]; t("NOT_FOUND"); t("title"); t("hint");';

  expect(findings(checkMessages, { "messages/en.json": en, "app/page.tsx": page })).toEqual([]);
});
