import { describe, expect, test } from "vitest";
import { findings } from "../testing/findings.ts";
import { checkTexts } from "./texts.ts";

describe("texts", () => {
  test.each([
    "<p>Hello</p>",
    "<p>{'Hello'}</p>",
    "<p>{`Hello ${name}`}</p>",
    '<p>{isNew ? "New" : null}</p>',
    '<p>{isNew && "New"}</p>',
    "<>Grüße</>",
    "<p>{count} votes</p>",
    '<img alt="A cat" />',
    '<input placeholder="Search" />',
    '<button aria-label="Close" />',
    '<Field label={"Name"} />',
  ])("%s in the markup is a finding", (markup) => {
    expect(findings(checkTexts, { "app/page.tsx": `export const page = ${markup};` })).toHaveLength(1);
  });

  test("so is a title in a page's metadata", () => {
    expect(findings(checkTexts, { "app/page.tsx": 'export const metadata = { title: "Boards" };' })).toHaveLength(1);
    expect(findings(checkTexts, { "app/page.tsx": 'export async function generateMetadata() { return { title: "Boards" }; }' })).toHaveLength(1);
  });

  test.each([
    '<p className="text-lg">{t("hello")}</p>',
    "<p>{name}: 12 · —</p>",
    '<img alt="" />',
    '<input type="email" name="email" />',
    '<p>{kind === "smtp" ? t("smtp") : null}</p>',
    "<a href={`/boards/${url}`}>{name}</a>",
    "<p>{`/boards/${url}`}</p>",
    "<style>{`:root { --accent: #${color} }`}</style>",
  ])("%s is none", (markup) => {
    expect(findings(checkTexts, { "app/page.tsx": `export const page = ${markup};` })).toEqual([]);
  });

  test.each([
    'const hello = "Hello there"; export const page = <p>{hello}</p>;',
    'const hello = "Hello"; export const page = <p>{hello}</p>;',
    'export const page = ["One thing"].map((text) => <li>{text}</li>);',
    'export const page = <Notice text="Saved it" />;',
    'export const page = <Card heading={"Some words"} />;',
    'export const page = <input type="submit" value="Send it" />;',
    'export const LABELS = { OPEN: "Open now" };',
    'export const LABELS = { OPEN: "no longer open" };',
    'export function said() { return "Saved it"; }',
    'export const said = isNew ? "Saved" : null;',
    'export const metadata = { openGraph: { siteName: "Some name" } };',
    "export const votes = `${count} votes`;",
    "export const by = `written by ${name}`;",
    'export const said = "Sign-in needed";',
    'export const said = "A cat";',
    'export const said = "Übersicht";',
    'export const said = "محفوظ";',
  ])("%s is a finding, for words are for people wherever they stand", (text) => {
    for (const path of ["app/page.tsx", "components/list.tsx", "emails/letter.tsx"]) expect(findings(checkTexts, { [path]: text })).toHaveLength(1);
  });

  test("so it is in every file of the rooms that show, tests aside, and in no other room", () => {
    const text = 'export const said = "Saved it";';

    expect(findings(checkTexts, { "app/labels.ts": text, "emails/letter.ts": text })).toHaveLength(2);
    expect(findings(checkTexts, { "app/labels.test.ts": text, "server/boards.ts": text, "lib/mail.ts": text })).toEqual([]);
  });

  test.each([
    '"use client";',
    'type Kind = "Open now" | "Closed";',
    'import { Menu } from "@base-ui/react/Menu";',
    'if (event.key === "Enter") send(); switch (event.key) { case "Escape": break; }',
    'throw new AppError("NOT_FOUND", "There is no such page."); throw new Error("Nothing here");',
    'log.warn("a page could not be made"); logFailure(error, { what: "a page could not be made" });',
    'const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": "1" };',
    "const POLICY = \"default-src 'none'; frame-ancestors 'self'; sandbox allow-popups\";",
    'const ROW = "flex truncate items-center gap-2"; const page = <Menu triggerClassName="flex truncate" />;',
    'const LINK = { rel: "nofollow ugc noopener", className: "flex truncate" };',
    'document.querySelector("main li a"); matchMedia("(pointer: fine)");',
    'const PATH = <path d="M 0 0 L 32 32 Z" />;',
    'const COMMAND = "npm run backup"; const NAME = "DATABASE_URL"; const ZONE = "UTC"; const KEYS = ["Ctrl+K", "g h"];',
    'const site = { "@type": "Organization", kind: "EntryPoint" };',
    "const FONT = \"-apple-system, 'Segoe UI', Roboto, sans-serif\"; const CSS = `.page { border: 1px solid ${color}; }`;",
    "const address = `${origin}/api/v1/${path}`; const box = `0 0 ${width} ${height}`;",
  ])("%s is none, for programs read it", (text) => {
    expect(findings(checkTexts, { "app/page.tsx": text })).toEqual([]);
  });
});
