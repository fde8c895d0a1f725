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

test("whatever is chosen can be read: white on a button, and the color as text on either paper", () => {
  const parts = ["00", "20", "40", "60", "80", "a0", "c0", "e0", "ff"];
  const colors = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `${r}${g}${b}`)));

  const unreadable = colors.filter((hex) => {
    const { button, lightInk, darkInk } = accentTones(hex);
    return [contrastRatio(WHITE, button), contrastRatio(lightInk, LIGHT_PAPER), contrastRatio(darkInk, DARK_PAPER)].some((ratio) => ratio < READABLE_RATIO);
  });

  expect(unreadable).toEqual([]);
});
