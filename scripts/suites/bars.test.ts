import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { barsIn, barTable, dueBars, readBars, unmeasuredBars } from "./bars.ts";

function aFile(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "heard-bars-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

test("what misses its bar stands first, then what nobody measured, then the rest by name", () => {
  const lines = [
    { bar: "Z11", ok: true },
    { bar: "Z9", ok: true },
    { bar: "F9", ok: false },
  ].map((figure) => JSON.stringify({ measure: "late, ms", figure: 1, database: "embedded", ...figure }));
  const test = aFile(
    "a.test.ts",
    `bar: "Z11",\nbars: ["D5", "U6"],\nexpectNone("D5", found, "P2002");\nconst [bar] = isFast ? ["U5", "flows"] : ["U4", "flows"];`,
  );

  const rows = barTable(readBars(aFile("bars.jsonl", lines.join("\n"))), dueBars(barsIn([test]), [null])).split("\n");

  expect(rows.map((row) => row.trim().split(/\s{2,}/))).toEqual([
    ["bar", "database", "figure", "measure"],
    ["F9", "embedded", "MISSED", "1", "late, ms"],
    ...["D5", "U4", "U5", "U6"].map((bar) => [bar, "-", "NOT MEASURED", "-", "-"]),
    ["Z9", "embedded", "met", "1", "late, ms"],
    ["Z11", "embedded", "met", "1", "late, ms"],
  ]);
});

test("a bar is due on every database there is, or on the one that can be asked for it, and a figure of another does not count for it", () => {
  const due = dueBars(["F1", "D6", "D2"], ["embedded", "postgresql"]);
  const figure = { measure: "late, ms", figure: 1, ok: true };

  expect(due).toEqual([
    { bar: "F1", database: "postgresql" },
    { bar: "D6", database: "embedded" },
    { bar: "D6", database: "postgresql" },
    { bar: "D2", database: "embedded" },
  ]);
  expect(
    unmeasuredBars(
      [
        { ...figure, bar: "D6", database: "embedded" },
        { ...figure, bar: "F1", database: "postgresql" },
      ],
      due,
    ),
  ).toEqual([due[2], due[3]]);
  expect(unmeasuredBars([{ ...figure, bar: "U4", database: "embedded" }], dueBars(["U4"], [null]))).toEqual([]);
});
