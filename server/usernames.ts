import { randomInt } from "node:crypto";
import { animals, colors, uniqueNamesGenerator } from "unique-names-generator";

/** A username such as `amber-otter-48213`: public, so made from nothing that the person gave. */
export function createUsername(): string {
  const words = uniqueNamesGenerator({ dictionaries: [colors, animals], separator: "-", length: 2, seed: randomInt(2 ** 40) });
  return `${words.toLowerCase().replace(/[^a-z-]/g, "")}-${randomInt(10_000, 1_000_000)}`;
}

/** The name that an account without one gets: its username's words, such as "Amber Otter". */
export function nameFromUsername(username: string): string {
  const words = username.split("-").filter((word) => /^[a-z]/.test(word));
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(" ");
}
