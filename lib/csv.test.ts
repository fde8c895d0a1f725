import { expect, test } from "vitest";
import { csvDownload, csvRow } from "./csv.ts";

test("cells are separated by commas, quoted where they must be, and end in CR LF", () => {
  const row = csvRow(["Ada", 'says "hi", twice', "two\nlines", -12.5, null, new Date("2026-03-01T12:00:00Z"), ""]);

  expect(row).toBe('Ada,"says ""hi"", twice","two\nlines",-12.5,,2026-03-01T12:00:00.000Z,\r\n');
});

test.for([
  ["=1+1", "'=1+1"],
  ["+49 30", `"'+49 30"`],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t'=1"`],
  ["\r=1", `"'\r'=1"`],
  [" =1", `" '=1"`],
  ["＝1", "'＝1"],
  ["Ada;=1", `"Ada;'=1"`],
  ["Ada\n=1", `"Ada\n'=1"`],
  ["Ada;; -1", `"Ada;; '-1"`],
  ["a=b-c@d+e", "a=b-c@d+e"],
  ["'=1", "'=1"],
  ["\tAda", `"'\tAda"`],
] as const)("%j is no formula to a spreadsheet: %j", ([text, cell]) => {
  expect(csvRow([text])).toBe(`${cell}\r\n`);
});

test("rows are fetched only as they are read, and no longer once nobody reads", async () => {
  let [fetched, isEnded] = [0, false];
  async function* batches() {
    try {
      for (;;) yield [[++fetched]];
    } finally {
      isEnded = true;
    }
  }

  const reader = (await csvDownload("x.csv", ["n"], batches())).body?.getReader();
  for (let part = 0; part < 5; part++) await reader?.read();
  expect(fetched).toBeLessThan(10);
  await reader?.cancel();

  expect(isEnded).toBe(true);
});

test("what fails before the first row is thrown, what fails later breaks the download off", async () => {
  async function* failing(good: number) {
    for (let batch = 0; batch < good; batch++) yield [["x"]];
    throw new Error("gone");
  }

  await expect(csvDownload("x.csv", ["n"], failing(0))).rejects.toThrow("gone");
  await expect((await csvDownload("x.csv", ["n"], failing(2))).text()).rejects.toThrow("gone");
});
