import { dictionary } from "@zxcvbn-ts/language-common";
import { AppError } from "#lib/errors";

let commonPasswords: Set<string> | undefined;

/**
 * Goes on only with a password that is not among the commonest of leaked lists (some 50,000, in any case).
 * @throws AppError PASSWORD_TOO_COMMON
 */
export function refuseCommonPassword(password: string): void {
  commonPasswords ??= new Set(dictionary["passwords-common"]);
  if (commonPasswords.has(password.normalize("NFC").toLowerCase())) {
    throw new AppError("PASSWORD_TOO_COMMON", "This password is among the most common ones. Choose another, such as four random words.", { field: "password" });
  }
}
