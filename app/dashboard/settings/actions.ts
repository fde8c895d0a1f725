"use server";

import type { FormState } from "#components/ui/form";
import { updateSettings } from "#server/settings";
import { colorOf, submitForm, textOf } from "../../forms.ts";
import { currentViewer } from "../../visit.ts";

/** Saves the site's settings as the form shows them. */
export async function save(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await updateSettings(await currentViewer(), {
      title: textOf(form, "title"),
      description: textOf(form, "description"),
      accentColor: colorOf(form, "accentColor"),
      allowSignup: form.has("allowSignup"),
      requireConfirmedEmail: form.has("requireConfirmedEmail"),
      blockCommonPasswords: form.has("blockCommonPasswords"),
    });
    return "/dashboard/settings?notice=saved";
  });
}
