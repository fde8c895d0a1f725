"use server";

import type { FormState } from "#components/ui/form";
import { retryMail } from "#server/mails";
import { optionalTextOf, submitForm, textOf } from "../../forms.ts";
import { currentViewer } from "../../visit.ts";
import { outboxAddress, outboxQuery } from "./address.ts";

/** Puts a letter that was given up back into the queue. */
export async function retry(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await retryMail(await currentViewer(), textOf(form, "mailId"));
    const [q, status, after] = ["q", "status", "after"].map((name) => optionalTextOf(form, name));
    return outboxAddress(outboxQuery({ q, status, after }), "queued");
  });
}
