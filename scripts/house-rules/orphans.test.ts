import { describe, expect, test } from "vitest";
import { findings } from "../testing/findings.ts";
import { checkOrphans, filesOfTheHouse } from "./orphans.ts";

const KNIP = JSON.stringify({
  entry: ["scripts/*.ts", "bench/**/*.{ts,mjs}", "lib/testing/programs/*.ts"],
  project: ["{lib,server}/**/*.{ts,css}", "*.ts"],
});

function orphans(files: Record<string, string>, paths: string[] = []): string[] {
  return findings((sources) => checkOrphans(sources, paths), { "knip.json": KNIP, ...files }).map((finding) => finding.split(":")[0] as string);
}

describe("orphans", () => {
  test.each(["scripts/old.ts", "bench/old.ts", "bench/old/rows.mjs", "lib/testing/programs/old.ts"])("%s, which nothing names, is a finding", (path) => {
    expect(orphans({ [path]: `// ${path} names itself`, "lib/db.ts": 'const kind = "old"; import "./testing/old.ts";' })).toEqual([path]);
  });

  test.each([
    ["scripts/backup.ts", { "package.json": '{ "scripts": { "backup": "exec node scripts/backup.ts" } }' }],
    ["scripts/commands.ts", { "server/people.ts": 'import { report } from "#scripts/commands";' }],
    ["bench/rows.ts", { "bench/bench.test.ts": 'const { rows } = await import("./rows.ts");' }],
    ["bench/rows.ts", { "bench/bench.test.ts": 'fork(new URL("./rows.ts", import.meta.url));' }],
    ["lib/testing/programs/hold-lock.ts", { "lib/a.ts": "run(`lib/testing/programs/${name}.ts`);", "lib/a.test.ts": 'start("hold-lock");' }],
  ])("%s, which another file names, is none", (path, files) => {
    expect(orphans({ [path]: "", ...files })).toEqual([]);
  });

  test("tests and what is no entry point are left to others", () => {
    expect(orphans({ "scripts/old.test.ts": "", "front/old.ts": "", "lib/old.ts": "" })).toEqual([]);
  });

  test("a file in public/ that nothing names is a finding", () => {
    const files = { "app/layout.tsx": 'const icon = "/icon.svg";', "docs/operations.md": "`/images/card.png`" };

    expect(orphans(files, ["public/icon.svg", "public/images/card.png", "public/old.svg"])).toEqual(["public/old.svg"]);
  });

  test.each([
    ...["docs/screens/old.webp", "docs/old.md", "old.md", "server/old.sql", ".ci/old.sh", "messages/old.md"],
    ...["docs/old.ts", "server/old.js", "lib/old.mts", "public/old.css", "old.css", "server/.old", "old/old.md", "old/old.ts"],
  ])("%s, which knip does not look at and which nothing names, is a finding", (path) => {
    const files = { [path]: `// ${path} names itself`, "README.md": "![](docs/screens/home.webp)" };

    expect(orphans(files, [path, "docs/screens/home.webp", "LICENSE", "docs/decisions/0001-runtime.md", "server/old.ts"])).toEqual([path]);
  });

  test("a file of messages that no code imports is a finding, whoever speaks of it", () => {
    const files = {
      "messages/all.ts": 'import one from "./one.json";',
      "app/error.tsx": 'import two from "#messages/two.json";',
      "README.md": "`messages/old.json`",
      "lib/a.test.ts": 'import old from "#messages/old.json";',
    };

    expect(orphans(files, ["messages/one.json", "messages/two.json", "messages/old.json"])).toEqual(["messages/old.json"]);
  });

  test("the files of the house are all that is kept in the repository, hidden ones too, and nothing else", () => {
    const paths = filesOfTheHouse();

    expect(paths).toEqual(expect.arrayContaining([".ci/run", ".editorconfig", "docs/screens/home.webp", "lib/db.ts", "public/icon.svg", "README.md"]));
    expect(paths.filter((path) => /^(node_modules|\.next|\.git|\.heard|data|screens|prisma\/generated)\//.test(path))).toEqual([]);
  });
});
