import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accentTones, contrastRatio, DARK_PAPER, LIGHT_PAPER, LIGHTNESS, READABLE_RATIO, WHITE } from "./accent.ts";

const STYLES = readFileSync("app/globals.css", "utf8");

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
  const surfaces = [...STYLES.matchAll(/--(?:paper|[\w-]*surface[\w-]*): light-dark\(#(\w{6}), #(\w{6})\)/g)];

  const unreadable = colors.filter((hex) => {
    const { button, darkButton, lightInk, darkInk } = accentTones(hex);
    const ratios = surfaces.flatMap(([, light = "", dark = ""]) => [contrastRatio(lightInk, light), contrastRatio(darkInk, dark)]);
    return [contrastRatio(WHITE, button), contrastRatio(WHITE, darkButton), ...ratios].some((ratio) => ratio < READABLE_RATIO);
  });

  expect(surfaces.map(([, light, dark]) => [light, dark])).toContainEqual([LIGHT_PAPER, DARK_PAPER]);
  expect(surfaces.length).toBeGreaterThan(6);
  expect(unreadable).toEqual([]);
});

test("whatever is chosen, a button stands out from every surface of the dark theme; a color that does by itself stays as it is", () => {
  const surfaces = [...STYLES.matchAll(/--(?:paper|surface[\w-]*): light-dark\(#\w{6}, #(\w{6})\)/g)].map(([, dark = ""]) => dark);
  const ratios = ["000000", "000033", "1a0000", "001400"].flatMap((hex) => surfaces.map((dark) => contrastRatio(accentTones(hex).darkButton, dark)));

  expect(surfaces).toHaveLength(4);
  expect(Math.min(...ratios)).toBeGreaterThan(1.5);
  expect(accentTones("0f6b7c").darkButton).toBe("0f6b7c");
});

test("the style sheet tones a color by the same lightness", () => {
  const { buttonMax, darkButtonMin, lightInkMax, darkInkMin } = LIGHTNESS;
  const toned = (light: string, dark: string) => `light-dark(oklch(from var(--site-accent) ${light} c h), oklch(from var(--site-accent) ${dark} c h));`;

  expect(STYLES).toContain(`--accent: ${toned(`min(l, ${buttonMax})`, `clamp(${darkButtonMin}, l, ${buttonMax})`)}`);
  expect(STYLES).toContain(`--accent-ink: ${toned(`min(l, ${lightInkMax})`, `max(l, ${darkInkMin})`)}`);
});
