import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accentTones, contrastRatio, DARK_PAPER, LIGHT_PAPER, READABLE_RATIO, WHITE } from "./accent.ts";

test("contrast is what WCAG's own examples say", () => {
  expect(contrastRatio("000000", "ffffff")).toBeCloseTo(21, 5);
  expect(contrastRatio("777777", "ffffff")).toBeCloseTo(4.48, 2);
  expect(contrastRatio("ff0000", "ff0000")).toBe(1);
});

test("a color that is dark enough for a button stays as it is", () => {
  expect(accentTones("0f6b7c").button).toBe("0f6b7c");
});

test("whatever is chosen can be read: white on a button, and the color as text on every surface of its look", () => {
  const parts = ["00", "20", "40", "60", "80", "a0", "c0", "e0", "ff"];
  const colors = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `${r}${g}${b}`)));
  const surfaces = [...readFileSync("app/globals.css", "utf8").matchAll(/--(?:paper|[\w-]*surface[\w-]*): light-dark\(#(\w{6}), #(\w{6})\)/g)];

  const unreadable = colors.filter((hex) => {
    const { button, lightInk, darkInk } = accentTones(hex);
    const ratios = surfaces.flatMap(([, light = "", dark = ""]) => [contrastRatio(lightInk, light), contrastRatio(darkInk, dark)]);
    return [contrastRatio(WHITE, button), ...ratios].some((ratio) => ratio < READABLE_RATIO);
  });

  expect(surfaces.map(([, light, dark]) => [light, dark])).toContainEqual([LIGHT_PAPER, DARK_PAPER]);
  expect(surfaces.length).toBeGreaterThan(6);
  expect(unreadable).toEqual([]);
});
