import { describe, expect, test } from "vitest";
import { missingOptionalPackages } from "../complete-lockfile.ts";
import { findings } from "../testing/findings.ts";
import { checkDocuments } from "./documents.ts";
import { checkEnvironment } from "./environment.ts";
import { checkGallery } from "./gallery.ts";
import { checkImports } from "./imports.ts";
import { checkOutbound } from "./outbound.ts";
import { checkSecrets } from "./secrets.ts";
import { checkSettings } from "./settings.ts";
import { checkWords } from "./words.ts";

describe("imports", () => {
  test.each([
    ["app/page.tsx", 'import { db } from "#lib/db";'],
    ["app/page.tsx", 'import { Prisma } from "#prisma/generated/client";'],
    ["app/page.tsx", 'import { letter } from "#emails/letter";'],
    ["app/page.tsx", 'import { aPerson } from "#server/testing/people";'],
    ["app/page.tsx", 'import { listen } from "#front/listen";'],
    ["front/site.ts", 'import { aPerson } from "#server/testing/people";'],
    ["front/site.ts", 'import { report } from "#scripts/commands";'],
    ["components/list.tsx", 'import { listBoards } from "#server/boards";'],
    ["components/list.tsx", 'import { AppError } from "#lib/errors";'],
    ["components/list.tsx", 'import Page from "#app/page";'],
    ["emails/letter.tsx", 'import { env } from "#lib/env";'],
    ["emails/letter.tsx", 'import type { Board } from "#server/boards";'],
    ["server/boards.ts", 'import { GET } from "#app/api/route";'],
    ["server/boards.ts", 'import { Button } from "#components/ui/button";'],
    ["lib/mail.ts", 'import { listen } from "#front/listen";'],
    ["lib/mail.ts", 'import { boards } from "#server/boards";'],
    ["lib/mail.ts", 'export { boards } from "#server/boards";'],
    ["lib/mail.ts", 'export * from "#server/boards";'],
    ["lib/mail.ts", 'const boards = await import("#server/boards");'],
    ["lib/mail.ts", "const boards = await import(`#server/boards`);"],
    ["lib/mail.ts", 'type Board = import("#server/boards").Board;'],
    ["lib/mail.ts", 'let boards: typeof import("#server/boards");'],
    ["server/boards.ts", 'import { db } from "../lib/db.ts";'],
    ["front/main.ts", 'import { emptySettings } from "#lib/testing/settings";'],
    ["front/front.ts", 'import { openGate } from "#lib/testing/gate";'],
  ])("in %s, %s is refused", (path, text) => {
    expect(findings(checkImports, { [path]: text })).toHaveLength(1);
  });

  test.each([
    [
      "app/page.tsx",
      'import { listBoards } from "#server/boards"; import { route } from "#lib/http"; import { List } from "#components/list"; import Link from "next/link";',
    ],
    ["app/page.tsx", 'import { schema } from "./schema.ts"; import { databaseKind } from "#lib/db"; import type { Tx } from "#lib/db";'],
    ["components/list.tsx", 'import type { Board } from "#server/boards"; import { type Code, type Other } from "#lib/errors";'],
    ["components/list.tsx", 'type Board = import("#server/boards").Board;'],
    ["emails/letter.tsx", 'import type { Letter } from "#lib/mail"; import en from "#messages/en.json";'],
    ["server/boards.ts", 'import { db } from "#lib/db"; import { Prisma } from "#prisma/generated/client";'],
    ["server/mails.ts", 'const { letter } = await import("#emails/letter");'],
    ["lib/mail.ts", "const rows = await import(path);"],
    ["server/boards.test.ts", 'import { useDatabase } from "#lib/testing/database";'],
    ["lib/db.ts", 'import { PrismaClient } from "#prisma/generated/client"; import { env } from "./env.ts";'],
    ["front/main.ts", 'import { db } from "#lib/db"; import { boards } from "#server/boards";'],
    ["playwright.config.ts", 'import { findBrowser } from "./scripts/browser.mjs";'],
  ])("in %s, %s is allowed", (path, text) => {
    expect(findings(checkImports, { [path]: text })).toEqual([]);
  });

  test("a way is proposed only where it leads", () => {
    expect(findings(checkImports, { "server/boards.ts": 'import { db } from "../lib/db.ts";' })).toEqual([expect.stringContaining('write "#lib/db"')]);
    expect(findings(checkImports, { "server/boards.ts": 'import Page from "../app/page.tsx";' })).toEqual([
      expect.stringContaining("server/ may not import from app/"),
    ]);
  });

  test("what imports nothing of Heard's or Node's in lib/ may be imported by every room that may import its types", () => {
    const lib = {
      "lib/emoji.ts": 'import { z } from "zod";',
      "lib/env.ts": 'import { join } from "node:path";',
      "lib/log.ts": 'import { env } from "./env.ts";',
    };
    const text = 'import { EMOJI } from "#lib/emoji"; import { env } from "#lib/env"; import { log } from "#lib/log";';

    for (const path of ["components/list.tsx", "emails/letter.tsx", "messages/all.ts"])
      expect(findings(checkImports, { ...lib, [path]: text })).toEqual([expect.stringContaining("#lib/env"), expect.stringContaining("#lib/log")]);
    expect(findings(checkImports, { ...lib, "prisma/seed.ts": text })).toHaveLength(3);
  });
});

describe("outbound", () => {
  test.each([
    'import { request } from "node:http";',
    'import { createServer, get } from "http";',
    'import http from "node:http";',
    'import * as net from "node:net";',
    'import { connect } from "node:net";',
    'import { Socket } from "node:net";',
    'import { createServer } from "node:https";',
    'import { connect } from "node:tls";',
    'import { connect } from "node:http2";',
    'import { request } from "undici";',
    'import "undici";',
    'import client from "undici/lib/dispatcher/client.js";',
    'const { request } = await import("node:http");',
    'export { request } from "node:http";',
  ])("%s is a finding, wherever it runs beside the guard", (text) => {
    for (const path of ["app/page.tsx", "server/boards.ts", "lib/mail.ts", "front/front.ts"]) expect(findings(checkOutbound, { [path]: text })).toHaveLength(1);
    expect(findings(checkOutbound, { "lib/outbound.ts": text, "e2e/api/client.ts": text, "lib/mail.test.ts": text })).toEqual([]);
  });

  test.each([
    'import { createServer, type ClientRequest } from "node:http"; import type { Socket } from "node:net";',
    'import { isIP, isIPv6, SocketAddress } from "node:net"; import type { ConnectionOptions } from "node:tls"; import type { Dispatcher } from "undici";',
    'import { endpoint } from "#lib/http"; const answer = await fetch(url);',
  ])("%s is none", (text) => {
    expect(findings(checkOutbound, { "server/boards.ts": text })).toEqual([]);
  });
});

describe("environment", () => {
  test.each([
    "process.env.PORT",
    'process.env["PORT"]',
    'process["env"].PORT',
    "process[`env`].PORT",
    "process?.env.PORT",
    "const { PORT } = process.env",
    "const { env } = process",
    "const { env: settings } = process",
    "const { pid, ...others } = globalThis.process",
    "globalThis.process.env.PORT",
    'import { env } from "node:process"',
    'import { env } from "process"',
    'import {\n  argv,\n  env,\n} from "node:process"',
    'import { env as settings } from "node:process"',
    'import p from "node:process"; p.env.PORT',
    'import { default as p } from "node:process"; p.env.PORT',
    'export { env } from "node:process"',
    'import * as p from "node:process"; const { env } = p;',
  ])("%s outside of lib/env.ts is a finding", (text) => {
    expect(findings(checkEnvironment, { "server/boards.ts": text })).toHaveLength(1);
    expect(findings(checkEnvironment, { "lib/env.ts": text, "server/boards.test.ts": text, "scripts/start.mjs": text })).toEqual([]);
  });

  test("other things called env are none", () => {
    expect(findings(checkEnvironment, { "server/boards.ts": 'import { env } from "#lib/env"; const port = env().PORT; import.meta.env;' })).toEqual([]);
    expect(
      findings(checkEnvironment, { "server/boards.ts": 'import p, { argv } from "node:process"; p.exit(); const { pid } = p; settings.env.PORT;' }),
    ).toEqual([]);
  });
});

describe("settings", () => {
  test(".env.example explains what lib/env.ts reads, and nothing else", () => {
    const schema = "const schema = z.object({ PORT: port, HOST: text }).superRefine(check); const LEVELS = { NOT_A_SETTING: 1 };";

    expect(findings(checkSettings, { "lib/env.ts": schema, ".env.example": "#PORT=3000\nOLD=1\nTEST_DATABASE_URL=\n" })).toEqual([
      ".env.example:1 does not explain HOST, which lib/env.ts reads",
      ".env.example:1 explains OLD, which nothing reads",
    ]);
  });
});

describe("words", () => {
  test.each(["/home/somebody/heard", "/Users/somebody/heard", "// TODO later", "// @ts-ignore"])("%s is a finding", (text) => {
    expect(findings(checkWords, { "docs/operations.md": `\n${text}\n` })).toHaveLength(1);
  });

  test("addresses and ordinary words are none", () => {
    expect(findings(checkWords, { "docs/operations.md": "https://example.com/home/page /var/lib/heard, what is left todo" })).toEqual([]);
  });
});

describe("secrets", () => {
  // In two pieces each, for this file is read by the rule, too.
  test.each([
    ["-----BEGIN RSA ", "PRIVATE KEY-----"],
    ["AKIA", "IOSFODNN7EXAMPLE"],
    ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"],
    ["re_8Kf2", "abcd_Qm3Vt7Lp9Xw2Rz5Yc8Nb"],
    ['RESEND_API_KEY = "q7Zr2Vn9', 'Kx4Tb8Wm1Cs6Pd3Lf5Hg0Jy"'],
  ])("%s… is a finding", (start, end) => {
    expect(findings(checkSecrets, { "lib/mail.ts": `// a line\n// ${start}${end}` })).toEqual([
      expect.stringMatching(/^lib\/mail\.ts:2 holds what looks like /),
    ]);
  });

  test("placeholders, sentences and hashes are none", () => {
    const text = `const password = "a long enough password"; const TOKEN = "tokens-are-kept-as-hashes-only"; // sha512-${"q7Zr2Vn9Kx4T".repeat(7)}`;

    expect(findings(checkSecrets, { "lib/mail.ts": text, ".env.example": "#AUTH_SECRET=\n#SMTP_URL=smtp://user:password@mail.example.com:587" })).toEqual([]);
  });
});

describe("documents", () => {
  const there = ["LICENSE", "docs/decisions", "lib/db.ts", "app/(public)/page.tsx"];
  const manifest = '{ "scripts": { "check": "…" } }';
  const checked = (documents: Record<string, string>) =>
    findings((sources) => checkDocuments(sources, (path) => there.includes(path)), { "package.json": manifest, ...documents });

  test("files and commands that are not there are findings", () => {
    const text = "[old](docs/OLD.md)\n`lib/old.ts` and `server/`\n`npm run check`, `npm run old -- --all`";

    expect(checked({ "README.md": text, "docs/decisions/0001-x.md": "[license](LICENSE)" })).toEqual([
      "README.md:1 links to docs/OLD.md, which is not there",
      "README.md:2 names lib/old.ts, which is not there",
      "README.md:2 names server/, which is not there",
      "README.md:3 names npm run old, which package.json does not have",
      "docs/decisions/0001-x.md:1 links to LICENSE, which is not there",
    ]);
  });

  test("a test that is cited by a sentence that its file does not have is a finding", () => {
    const source = { "lib/x.test.ts": 'test("it holds", () => {});' };

    expect(checked({ ...source, "docs/security.md": '"it holds": `lib/x.test.ts`\n"it held": `lib/x.test.ts`, "it is gone": `lib/y.test.ts`' })).toEqual(
      expect.arrayContaining([
        'docs/security.md:2 cites "it held", which is no test of lib/x.test.ts',
        'docs/security.md:2 cites "it is gone", which is no test of lib/y.test.ts',
      ]),
    );
    expect(checked({ ...source, "docs/security.md": '"it holds": `lib/x.test.ts`' }).filter((finding) => finding.includes("cites"))).toEqual([]);
  });

  test("what is there, patterns, and places elsewhere are none", () => {
    const text =
      "[a](../../LICENSE) [b](../decisions#top) [c](#here) [d](https://example.com/x) `lib/db.ts` `app/(public)/page.tsx` `server/<noun>.ts` `e2e/*.spec.ts`";

    expect(checked({ "docs/decisions/0001-x.md": text })).toEqual([]);
  });
});

describe("lockfile", () => {
  test("a binary of another platform that has no entry is found, with the platform that its name says", () => {
    const packages = {
      "node_modules/a": {
        version: "1.0.0",
        dev: true,
        optionalDependencies: { "@a/linux-x64-musl": "1.0.0", "@a/darwin-arm64": "1.0.0", "@a/linux-x64-gnu": "1.0.0" },
      },
      "node_modules/@a/linux-x64-gnu": { version: "1.0.0" },
    };

    expect(missingOptionalPackages({ packages })).toEqual({
      "node_modules/@a/linux-x64-musl": { version: "1.0.0", cpu: ["x64"], dev: true, libc: ["musl"], optional: true, os: ["linux"] },
      "node_modules/@a/darwin-arm64": { version: "1.0.0", cpu: ["arm64"], dev: true, optional: true, os: ["darwin"] },
    });
  });
});

describe("gallery", () => {
  test("a part that stands in it neither by itself nor within another is found", () => {
    const files = {
      "app/gallery/page.tsx": 'import { Button } from "#components/ui/button"; import type { Toast } from "#components/ui/toast";',
      "components/ui/button.tsx": 'import { Spinner } from "./spinner.tsx"; export const Button = Spinner;',
      "components/ui/spinner.tsx": "export const Spinner = 1;",
      "components/ui/toast.tsx": "export const Toast = 1;",
      "components/ui/tone.ts": "export const TONE = 1;",
    };

    expect(findings(checkGallery, files)).toEqual(["components/ui/toast.tsx:1 does not stand in the gallery: show it in app/gallery"]);
  });
});
