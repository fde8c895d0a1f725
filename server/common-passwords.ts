import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "#lib/errors";
import { FAIR_LENGTH, inAnyCase, passwordMark } from "#lib/password-strength";

let commonPasswords: Set<string> | undefined;
let marks: string | undefined;

/** Whether a password is among the commonest of leaked lists (some 50,000, in any case). */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(dictionary["passwords-common"]);
  return commonPasswords.has(inAnyCase(password));
}

/**
 * Goes on only with a password that is not common.
 * @throws AppError PASSWORD_TOO_COMMON
 */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) {
    throw new AppError("PASSWORD_TOO_COMMON", "This password is among the most common ones. Choose another, such as four random words.", { field: "password" });
  }
}

/** What `passwordStrength` has to know of the common passwords: of all but those whose length alone calls them weak. Some 5 KB. */
export function commonPasswordMarks(): string {
  marks ??= dictionary["passwords-common"]
    .filter((password) => password.length >= FAIR_LENGTH)
    .map(passwordMark)
    .join(" ");
  return marks;
}
