import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { FAIR_LENGTH, passwordStrength } from "#lib/password-strength";
import { commonPasswordMarks, refuseCommonPassword } from "./common-passwords.ts";
import { newPassword } from "./credentials.ts";

/** Whether `password` is refused as too common. */
function isCommon(password: string): boolean {
  try {
    refuseCommonPassword(password);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "PASSWORD_TOO_COMMON", status: 400, field: "password" });
    return true;
  }
}

test("the 3,000 commonest passwords of a valid length are refused", () => {
  const valid = dictionary["passwords-common"].filter((password) => newPassword.safeParse(password).success).slice(0, 3000);

  expect(valid).toHaveLength(3000);
  expect(valid.filter((password) => !isCommon(password))).toEqual([]);
});

test("a common password is common in any case", () => {
  for (const password of ["password", "PASSWORD", "PassWord", "12345678", "qwertyuiop", "Iloveyou1"]) expect(isCommon(password), password).toBe(true);
});

test("words that nobody leaked are taken", () => {
  for (const password of ["correct horse battery staple", "🎉".repeat(8), "пароль из четырёх слов"]) expect(isCommon(password)).toBe(false);
});

test("none that is refused is called better than weak while it is typed, and marks of all take little room on a page", () => {
  const marks = commonPasswordMarks();
  const long = dictionary["passwords-common"].filter((password) => password.length >= FAIR_LENGTH);

  expect(long.flatMap((password) => [password, password.toUpperCase()]).filter((password) => passwordStrength(password, marks) !== "weak")).toEqual([]);
  expect(marks.length).toBeLessThan(6000);
});
