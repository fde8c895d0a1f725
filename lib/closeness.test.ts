import fc from "fast-check";
import { expect, test } from "vitest";
import { CLOSENESS, closenessOf, FEWEST_LETTERS } from "./closeness.ts";
import { wordsOf, wordsOfTyped } from "./search.ts";

const closeness = (typed: string, title: string) => closenessOf(wordsOfTyped(typed), wordsOf(title));

// What the command palette offers, some of it.
const TITLES = [
  ...["Go to settings", "Manage boards", "Switch to the dark theme", "Copy link to this page", "Go to people"],
  ...["Zu den E-\u2060Mail-Einstellungen", "Zur Übersicht", "Über Heard", "Darstellung wie im System", "Zum Aussehen"],
  ...["الذهاب إلى الإعدادات", "إدارة اللوحات", "التبديل إلى المظهر الداكن", "نسخ رابط هذه الصفحة", "إنشاء لوحة"],
];
const aTitle = fc.constantFrom(...TITLES);
const aMistake = fc.constantFrom("leftOut", "doubled", "wrong", "swapped");

/** `word` with a mistake where `at`, between 0 and 1, says. */
function mistyped(word: string, mistake: string, at: number): string {
  const letters = [...word];
  const place = Math.floor(at * (letters.length - 1));
  const [letter = "", next = ""] = letters.slice(place);
  const instead: Record<string, string[]> = { leftOut: [next], doubled: [letter, letter, next], wrong: ["x", next], swapped: [next, letter] };
  return letters.toSpliced(place, 2, ...(instead[mistake] ?? [])).join("");
}

test.for([
  ["begins", "go to set", "Go to settings"],
  ["begins", "E-MAIL", "E-\u2060Mail-Einstellungen"],
  ["begins", "Zu den E-", "Zu den E-\u2060Mail-Einstellungen"],
  ["begins", "Zu den E-\u2060", "Zu den E-\u2060Mail-Einstellungen"],
  ["words", "settings", "Go to settings"],
  ["words", "settings mail", "Go to mail settings"],
  ["words", "ubersicht", "Zur Übersicht"],
  ["holds", "ettings", "Go to settings"],
  ["holds", "إعدادات", "الذهاب إلى الإعدادات"],
  ["holds", "اعدادات", "الذهاب إلى الإعدادات"],
  ["forgiven", "setings", "Go to settings"],
  ["forgiven", "settigns go", "Go to settings"],
  ["forgiven", "baords", "Manage boards"],
  ["forgiven", "dashbord", "Dashboard"],
  ["forgiven", "dahsb", "Dashboard"],
  ["forgiven", "drak theme", "Switch to the dark theme"],
  ["forgiven", "ubersciht", "Zur Übersicht"],
  ["forgiven", "einstelungen", "Zu den E-\u2060Mail-Einstellungen"],
  ["forgiven", "darstelung", "Grunddarstellung"],
  ["forgiven", "اعدادت", "الذهاب إلى الإعدادات"],
  ["forgiven", "اللوحت", "إدارة اللوحات"],
  [null, "stings", "Go to settings"],
  [null, "kites", "Go to settings"],
  [null, "setings kites", "Go to settings"],
  [null, "god", "Go to data"],
  [null, "hme", "Home"],
  [null, "dta", "Go to data"],
  [null, "they", "Go to the outbox"],
  [null, "boxy", "Go to the outbox"],
  [null, "lanterns", "Go to the outbox"],
] as const)("%s: %s for %s", ([expected, typed, title]) => {
  expect(closeness(typed, title)).toBe(expected);
});

test("every word of a title, with one mistake that leaves enough of it, finds it; so do all of them in whatever order", () => {
  fc.assert(
    fc.property(aTitle, aMistake, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (title, mistake, at, which) => {
      const words = wordsOf(title).filter((word) => [...word].length >= FEWEST_LETTERS);
      const place = which % words.length;
      const wrong = mistyped(words[place] ?? "", mistake, at);
      fc.pre([...wrong].length >= FEWEST_LETTERS);

      expect(closeness(words.with(place, wrong).toReversed().join(" "), title)).not.toBeNull();
      expect(closeness(wrong, title)).not.toBeNull();
    }),
  );
});

test("what a title begins with, a word of it and a part of one are never taken for less, however they are written", () => {
  fc.assert(
    fc.property(aTitle, fc.nat(), fc.nat(), (title, from, length) => {
      const words = wordsOf(title);
      const word = [...(words[from % words.length] ?? "")];
      const rankOf = (typed: string) => CLOSENESS.indexOf(closeness(typed, title) as (typeof CLOSENESS)[number]);

      expect(rankOf([...title].slice(0, 1 + (length % title.length)).join(""))).toBe(0);
      expect(
        rankOf(
          ` ${word
            .slice(0, 1 + (length % word.length))
            .join("")
            .toUpperCase()}`,
        ),
      ).toBeLessThanOrEqual(1);
      expect([0, 1, 2]).toContain(rankOf(word.slice(length % word.length).join("")));
    }),
  );
});

test("nothing typed meets everything", () => {
  expect(closeness(" ", "Go to settings")).toBe("begins");
});
