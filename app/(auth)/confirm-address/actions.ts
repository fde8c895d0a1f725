"use server";

import type { FormState } from "#components/ui/form";
import { confirmEmail, resendConfirmation } from "#server/email-confirmation";
import { submitForm, textOf } from "../../forms.ts";
import { currentViewer, currentVisit } from "../../visit.ts";

/** Confirms the address that the link in the letter was sent to. */
export async function confirmAddress(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    await confirmEmail({ token: textOf(form, "token") });
    return "/confirm-address?notice=confirmed";
  });
  // The token is no field that anybody could mend.
  return { ...state, fieldErrors: undefined };
}

/** Sends the signed-in person the letter once more. */
export async function sendLetterAgain(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await resendConfirmation(await currentViewer(), await currentVisit());
    return "/confirm-address?notice=sent";
  });
}
