import { expect, test } from "vitest";
import { passwordMark, passwordStrength } from "./password-strength.ts";

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
  expect(passwordStrength(password, "")).toBe(strength);
});

test("a common password is weak in any case, however long it is, and others stay what they are", () => {
  const marks = ["plum-tractor", "plum tractor envelope"].map(passwordMark).join(" ");

  expect(passwordStrength("Plum-Tractor", marks)).toBe("weak");
  expect(passwordStrength("plum tractor envelope", marks)).toBe("weak");
  expect(passwordStrength("plum-tractors", marks)).toBe("fair");
});
