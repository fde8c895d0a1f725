"use server";

import { after } from "next/server";
import type { FormState } from "#components/ui/form";
import { requestPasswordReset, resetPassword } from "#server/password-reset";
import { submitForm, textOf } from "../../forms.ts";
import { withQuery } from "../../urls.ts";
import { currentVisit } from "../../visit.ts";

/** Sends the letter, if the address has an account. What comes back is the same if it has none. */
export async function askForLetter(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    after(await requestPasswordReset(await currentVisit(), { email: textOf(form, "email") }));
    return withQuery("/reset-password", { notice: "sent", email: textOf(form, "email").trim() });
  });
}

/** Sets the new password, and leads to signing in with it. */
export async function setNewPassword(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const { email } = await resetPassword(await currentVisit(), { token: textOf(form, "token"), password: textOf(form, "password") });
    return withQuery("/login", { notice: "password-changed", email });
  });
  // The token is no field that anybody could mend.
  return state.code === "INVALID_TOKEN" ? { ...state, fieldErrors: undefined } : state;
}
