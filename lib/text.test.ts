import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedText, codePointLength, normalized, oneLine } from "./text.ts";

const name = boundedText({ min: 1, max: 10 });

function problemOf(value: unknown): string | undefined {
  return name.safeParse(value).error?.issues[0]?.message;
}

test("text keeps every script and emoji as it is", () => {
  for (const value of ["Ideas", "Идеи", "アイデア", "रचना", "أفكار", "🎉👨‍👩‍👧", "e\u0301".normalize("NFC"), "\u202Eabc", "q\u0323\u0307"])
    expect(name.parse(value)).toBe(value.normalize("NFC"));
});

test("white space at the ends is not part of a text", () => {
  expect(name.parse(" \u00a0 Ideas\u3000 ")).toBe("Ideas");
});

test("length counts code points, not UTF-16 units and not bytes", () => {
  expect(codePointLength("🎉é")).toBe(2);
  expect(problemOf("🎉".repeat(10))).toBeUndefined();
  expect(problemOf("🎉".repeat(11))).toBe("must have at most 10 characters (it has 11)");
});

test("length counts what is left after normalizing and trimming", () => {
  expect(name.parse(`  ${"e\u0301".repeat(10)}  `)).toBe("é".repeat(10));
});

test("two keyboards that write é differently have written the same", () => {
  expect(name.parse("Cafe\u0301")).toBe(name.parse("Caf\u00e9"));
});

test.for([
  ["", "must not be empty"],
  ["   ", "must not be empty"],
  ["a\0b", "must be a single line without control characters"],
  ["a\r\nb", "must be a single line without control characters"],
  ["a\u001bb", "must be a single line without control characters"],
  ["a\u0085b", "must be a single line without control characters"],
  ["a\ud83c", "holds half of a character; send it whole"],
  ["\udf89a", "holds half of a character; send it whole"],
  [7, "must be text"],
  [null, "must be text"],
  [["a"], "must be text"],
  [{ not: "" }, "must be text"],
] as const)("%j is refused", ([value, problem]) => {
  expect(problemOf(value)).toBe(problem);
});

test("a text that may be empty may be white space too", () => {
  expect(boundedText({ max: 5 }).parse("   ")).toBe("");
  expect(boundedText({ min: 3, max: 5 }).safeParse("ab").error?.issues[0]?.message).toBe("must have at least 3 characters");
});

test("whatever is accepted is accepted unchanged a second time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 14 }), (value) => {
      const result = name.safeParse(value);
      if (result.success) expect(name.parse(result.data)).toBe(result.data);
    }),
  );
});

test.for(["\u200b", "\u3164", "\u00ad\u2060 \ufe0f"])("text of which nothing can be seen is empty: %j", (value) => {
  expect(boundedText({ max: 5 }).parse(value)).toBe("");
  expect(boundedText({ min: 1, max: 5 }).safeParse(value).error?.issues[0]?.message).toBe("must not be empty");
});

test.for(["a\u2028b", "a\u2029b"])("a line break of Unicode's own is one as well: %j", (value) => {
  expect(boundedText({ max: 5 }).safeParse(value).error?.issues[0]?.message).toBe("must be a single line without control characters");
});

test("what is far too long is refused before it is composed, which would take its time", () => {
  const disordered = `a${"\u0301\u0316".repeat(5000)}`;

  expect(normalized(disordered, 100)).toBe(disordered);
  expect(normalized("e\u0301", 1)).toBe("\u00e9");
  expect(boundedText({ max: 100 }).safeParse(disordered).error?.issues[0]?.message).toBe("must have at most 100 characters (it has 10001)");
});

test("what is empty is called as the text's noun wants it", () => {
  const issue = boundedText({ min: 1, max: 5, emptyProblem: "noName" }).safeParse(" ").error?.issues[0];
  expect(issue).toMatchObject({ message: "must not be empty", params: { problem: "noName" } });
});

test.for([
  [" 550\r\n no\tsuch\0 user ", 100, "550 no such user"],
  ["abcdef", 3, "abc"],
  ["ab🎉", 3, "ab"],
  ["ab🎉", 4, "ab🎉"],
] as const)("others' words %j, of at most %i units, are told as %j", ([text, max, told]) => {
  expect(oneLine(text, max)).toBe(told);
});
