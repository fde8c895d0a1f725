"use server";

import type { FormState } from "#components/ui/form";
import { nextPath } from "#lib/next-path";
import { logIn } from "#server/login";
import { preferencesOf } from "#server/preferences";
import { submitForm, textOf } from "../../forms.ts";
import { keepLocale, keepShortcuts } from "../../preferences.ts";
import { andIfPossible, currentVisit, startBrowserSession } from "../../visit.ts";

/** Signs this browser in, as the person likes the site, and goes on where the visitor was going. */
export async function signIn(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const user = await logIn(await currentVisit(), { email: textOf(form, "email"), password: textOf(form, "password") });
    await startBrowserSession(user);
    await andIfPossible(async () => {
      const { locale, hasShortcuts } = await preferencesOf(user.userId);
      if (locale) await keepLocale(locale);
      await keepShortcuts(hasShortcuts);
    });
    return nextPath(textOf(form, "next"));
  });
}
