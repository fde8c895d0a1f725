import { expect, test } from "vitest";
import { passwordStrength } from "./password-strength.ts";

test.each([
  ["", "short"],
  ["1234567", "short"],
  ["👩👩👩👩👩👩👩", "short"],
  ["abcdefgh", "weak"],
  ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
  ["12121212121212121212", "weak"],
  ["plum-tractor", "fair"],
  ["plum tractor envelope", "strong"],
])("%j is %s", (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});
