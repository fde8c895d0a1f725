"use server";

import { getTranslations } from "next-intl/server";
import type { FormState } from "#components/ui/form";
import { isLocale } from "#lib/locales";
import { nextPath } from "#lib/next-path";
import { signUp } from "#server/users";
import { optionalTextOf, submitForm, textOf } from "../../forms.ts";
import { SIGNED_UP } from "../../new-account.tsx";
import { currentLocale } from "../../preferences.ts";
import { withNotice, withQuery } from "../../urls.ts";
import { currentVisit, startBrowserSession } from "../../visit.ts";

/** Makes an account, written to in the language of the page, and signs this browser in. Who has one already is led to sign in with the address typed. */
export async function createAccount(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const locale = await currentLocale();
    const user = await signUp(await currentVisit(), {
      name: optionalTextOf(form, "name"),
      email: textOf(form, "email"),
      password: textOf(form, "password"),
      locale: isLocale(locale) ? locale : undefined,
    });
    await startBrowserSession(user);
    return withNotice(nextPath(textOf(form, "next")), SIGNED_UP);
  });
  if (state.code !== "USER_EXISTS") return state;
  const t = await getTranslations("signup");
  const href = withQuery("/login", { email: textOf(form, "email").trim(), next: optionalTextOf(form, "next") });
  return { ...state, link: { href, text: t("signInInstead") } };
}
