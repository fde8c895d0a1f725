import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MARK } from "./mark.ts";

test("the icon that browsers show is the mark", () => {
  const outlines = [...readFileSync("public/icon.svg", "utf8").matchAll(/ d="([^"]+)"/g)].map((match) => match[1]);

  expect(outlines).toEqual(Object.values(MARK));
});
