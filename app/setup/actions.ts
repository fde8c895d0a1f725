"use server";

import { getTranslations } from "next-intl/server";
import type { FormState } from "#components/ui/form";
import { siteTitle } from "#server/settings";
import { newSite, setUp } from "#server/setup";
import { displayName, newCredentials } from "#server/users";
import { optionalTextOf, submitForm } from "../forms.ts";
import { currentVisit, startBrowserSession } from "../visit.ts";

// A person is asked for what a program may leave out.
const wizard = newCredentials.extend({ ...newSite.shape, name: displayName, siteTitle });

/** Makes the site and its owner, and the first board where one was named. Ends signed in. */
export async function setUpSite(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const answers = { ...Object.fromEntries(form), boardName: optionalTextOf(form, "boardName"), blockCommonPasswords: form.has("blockCommonPasswords") };
    const owner = await setUp(await currentVisit(), wizard.parse(answers));
    await startBrowserSession(owner.authToken);
    return "/dashboard?notice=set-up";
  });
  const t = await getTranslations("setup");
  if (state.code === "SETUP_COMPLETED") return { ...state, link: { href: "/login", text: t("signIn") } };
  // Nobody has an account yet: all that can be forbidden here is to go on without the token.
  if (state.code === "FORBIDDEN") return { ...state, error: t("wrongToken"), fieldErrors: { setupToken: t("wrongToken") } };
  return state;
}
