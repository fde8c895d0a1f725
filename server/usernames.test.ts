import { expect, test } from "vitest";
import { createUsername, nameFromUsername } from "./usernames.ts";

test("a username is two words and digits", () => {
  for (let count = 0; count < 1000; count += 1) expect(createUsername()).toMatch(/^[a-z]+(-[a-z]+)+-\d{5,6}$/);
});

test("usernames differ, in their words too", () => {
  const usernames = Array.from({ length: 2000 }, createUsername);

  expect(new Set(usernames).size).toBe(2000);
  expect(new Set(usernames.map(nameFromUsername)).size).toBeGreaterThan(1500);
});

test("a name made from a username is its words, and fits", () => {
  expect(nameFromUsername("amber-otter-48213")).toBe("Amber Otter");
  for (let count = 0; count < 1000; count += 1) expect(nameFromUsername(createUsername())).toMatch(/^[A-Z][a-z]+( [A-Z][a-z]+)+$/);
});
