import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { aStoppedSite, directory, newFile, run } from "./places.ts";

const TIMEOUT = { timeout: 120_000 };

test("commands that cannot do their work say why in a sentence, and end with 1", TIMEOUT, async () => {
  const nowhere = { dataDir: join(directory, "nowhere"), databaseUrl: "" };

  const refusals = [
    await run("backup", nowhere),
    await run("restore", nowhere),
    await run("restore", nowhere, "/nowhere/heard.jsonl.gz"),
    await run("move-to-postgres", nowhere),
    await run("move-to-postgres", nowhere, "hello"),
    await run("move-to-postgres", nowhere, "postgresql://localhost/heard"),
    await run("recount", nowhere, "--chekc"),
  ];

  expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 1));
  expect(refusals.map(({ output }) => output)).toEqual([
    expect.stringContaining("There is no site in "),
    expect.stringContaining("Say which backup: npm run restore -- FILE"),
    expect.stringContaining("There is no file /nowhere/heard.jsonl.gz."),
    expect.stringContaining("Say where to: npm run move-to-postgres -- postgresql://"),
    expect.stringContaining("DATABASE_URL must be a PostgreSQL address"),
    expect.stringContaining("There is no embedded site in "),
    expect.stringContaining("--chekc"),
  ]);
  for (const { output } of refusals) expect(output).not.toMatch(/\n\s+at /);
  expect(readdirSync(directory)).not.toContain("nowhere");
});

test("counters that drifted are reported with exit code 1, and mended", TIMEOUT, async () => {
  const site = await aStoppedSite();
  await writeRows(site, `UPDATE "Board" SET "postCount" = "postCount" + 7; UPDATE "SiteSettings" SET "privateBoardCount" = 5;`);

  const [found, mended, after] = [await run("recount", site, "--check"), await run("recount", site), await run("recount", site, "--check")];

  expect(found).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^Board\.postCount: \d+ wrong \(\/boards\/.*\nSiteSettings\.privateBoardCount: 1 wrong \(5 instead of 0\)\nTo mend them: npm run recount\n$/,
    ),
  });
  expect(mended).toMatchObject({ code: 0, output: expect.stringMatching(/Mended\.\n$/) });
  expect(after).toMatchObject({ code: 0, output: expect.stringContaining("No drift") });
});

test("a site that is running is not restored into, nor moved away", TIMEOUT, async () => {
  const site = await startSite({ database: "embedded" });
  onTestFinished(site.remove);
  const path = newFile();
  expect(await run("backup", site, path)).toMatchObject({ code: 0 });

  expect(await run("restore", site, path)).toMatchObject({ code: 1, output: expect.stringContaining("is in use by another Heard") });
  expect(await run("move-to-postgres", site, "postgresql://localhost:1/heard")).toMatchObject({
    code: 1,
    output: expect.stringContaining("Heard is running on this site, and what is written from now on would stay behind: stop it first"),
  });
  expect(await run("recount", site, "--check")).toMatchObject({ code: 0 });
});
