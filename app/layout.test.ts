import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("what browsers paint around a page is the surface of its look", () => {
  const [, light, dark] = readFileSync("app/globals.css", "utf8").match(/--surface: light-dark\((#\w{6}), (#\w{6})\)/) ?? [];

  expect(readFileSync("app/layout.tsx", "utf8")).toContain(`{ light: "${light}", dark: "${dark}" }`);
});
