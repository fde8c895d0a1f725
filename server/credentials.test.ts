import fc from "fast-check";
import { expect, test } from "vitest";
import { emailAddress, newPassword, normalizeEmail } from "./credentials.ts";

/** The code with which `value` is refused as a password, if it is. */
function passwordCode(value: unknown): unknown {
  const issue = newPassword.safeParse(value).error?.issues[0];
  return issue?.code === "custom" ? issue.params?.code : undefined;
}

test.for([
  ["ada@example.org", "ada@example.org"],
  ["  Ada.Lovelace+Heard@Example.ORG \n", "ada.lovelace+heard@example.org"],
  ["!#$%&'*+/=?^_`{|}~-@example.org", "!#$%&'*+/=?^_`{|}~-@example.org"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
  ["ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ["ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"],
  ["ada@col·legi.example", "ada@xn--collegi-xma.example"],
  [`${"a".repeat(64)}@example.org`, `${"a".repeat(64)}@example.org`],
] as const)("the address %j is stored as %j", ([value, stored]) => {
  expect(emailAddress.parse(value)).toBe(stored);
});

test.for([
  undefined,
  null,
  "",
  7,
  {},
  { not: "" },
  ["ada@example.org"],
  ["ada@example.org", "eve@example.org"],
  "ada",
  "@example.org",
  "ada@",
  "ada@localhost",
  "ada@example",
  "ada@example.o",
  "ada@-example.org",
  "ada@example..org",
  "ada@example.org.",
  "ada@.example.org",
  "ada@exam ple.org",
  "a da@example.org",
  "ada@@example.org",
  ".ada@example.org",
  "ada.@example.org",
  "a..da@example.org",
  '"ada"@example.org',
  "ada@[127.0.0.1]",
  "ada@127.0.0.1",
  "ada@0x7f.1",
  "Ada <ada@example.org>",
  "ada@example.org, eve@example.org",
  "ada@example.org;eve@example.org",
  "ada@example.org\r\nBcc: eve@example.org",
  "ada@exam\nple.org",
  "ada@exam\tple.org",
  "ada\r\n@example.org",
  "ada\0@example.org",
  "ada＠example.org",
  "ada@eve＠example.org",
  "ада@example.org",
  "\u212Aelvin@example.org",
  "ad\u0430@example.org",
  "ada@example.org/x",
  "ada@example.org?x",
  "ada@example.org#x",
  "ada@example.org:25",
  "ada@%65xample.org",
  "ada@exam\u00adple.org",
  "ada@exam\ud83cple.org",
  `${"a".repeat(65)}@example.org`,
  `ada@${"a".repeat(64)}.org`,
  `ada@${"a.".repeat(125)}org`,
])("%j is no address: EMAIL_INVALID", (value) => {
  expect(emailAddress.safeParse(value).error?.issues[0]).toMatchObject({ code: "custom", params: { code: "EMAIL_INVALID" } });
});

test("a stored address is its own normal form, is ASCII and holds one @", () => {
  const anything = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.tuple(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 12 })).map(([a, b]) => `${a}@${b}.org`),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const result = emailAddress.safeParse(value);
      if (!result.success) return;
      expect(result.data).toMatch(/^[\x21-\x3f\x41-\x7e]+@[a-z0-9.-]+$/);
      expect(normalizeEmail(result.data)).toBe(result.data);
    }),
    { numRuns: 300 },
  );
});

test.for([
  [undefined, "PASSWORD_MISSING"],
  [null, "PASSWORD_MISSING"],
  ["", "PASSWORD_MISSING"],
  [12_345_678, "PASSWORD_MISSING"],
  [["correct horse"], "PASSWORD_MISSING"],
  [{ contains: "" }, "PASSWORD_MISSING"],
  ["1234567", "PASSWORD_TOO_SHORT"],
  ["🎉".repeat(7), "PASSWORD_TOO_SHORT"],
  ["e\u0301".repeat(7), "PASSWORD_TOO_SHORT"],
  ["x".repeat(257), "PASSWORD_TOO_LONG"],
  ["🎉".repeat(257), "PASSWORD_TOO_LONG"],
  ["x".repeat(100_000), "PASSWORD_TOO_LONG"],
  ["half of \ud83c it", "VALIDATION_ERROR"],
] as const)("the password %j is refused: %s", ([value, code]) => {
  expect(passwordCode(value)).toBe(code);
});

test.for([
  "12345678",
  "🎉".repeat(8),
  "🎉".repeat(64),
  "🎉".repeat(256),
  "x".repeat(256),
  "e\u0301".repeat(256),
  "        ",
  " padded ",
  "a\0b\0c\0d\0",
  "пароль-пароль",
  "\u202Eabcdefg",
])("the password %j is taken as it was typed", (value) => {
  expect(newPassword.parse(value)).toBe(value);
});
