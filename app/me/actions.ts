"use server";

import { getTranslations } from "next-intl/server";
import type { FormState } from "#components/ui/form";
import { THEMES } from "#lib/browser-choices";
import { isLocale } from "#lib/locales";
import { setAvatar } from "#server/avatars";
import { resendConfirmation } from "#server/email-confirmation";
import { updatePreferences } from "#server/preferences";
import { endOtherSessions, endSession } from "#server/sessions";
import { updateOwnUser } from "#server/users";
import { fileOf, isTicked, submitForm, textOf } from "../forms.ts";
import { keepLocale, keepShortcuts, keepTheme } from "../preferences.ts";
import { currentViewer, currentVisit, rememberBrowser } from "../visit.ts";

/** Changes the viewer's name. */
export async function saveName(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await updateOwnUser(await currentViewer(), await currentVisit(), { name: textOf(form, "name") });
    return "/me?notice=name#name";
  });
}

/** Gives the viewer the picture that they chose, or takes theirs away. */
export async function savePicture(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const isRemoval = isTicked(form, "remove");
    const bytes = await fileOf(form, "picture");
    await setAvatar(await currentViewer(), isRemoval ? null : bytes);
    return isRemoval ? "/me?notice=picture-removed#picture" : "/me?notice=picture#picture";
  });
}

/** Sends the letter that confirms the viewer's address once more. */
export async function sendConfirmation(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await resendConfirmation(await currentViewer(), await currentVisit());
    return "/me?notice=letter#email";
  });
}

/** Changes the viewer's password, which signs every other device out. */
export async function savePassword(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const password = { current: textOf(form, "password.current"), new: textOf(form, "password.new") };
    const { email } = await updateOwnUser(await currentViewer(), await currentVisit(), { password });
    await rememberBrowser(email);
    return "/me?notice=password#password";
  });
  const t = await getTranslations();
  // Whether the current one is right is asked only once there is a new one: that it is empty would be said at the second try.
  if (state.fieldErrors?.["password.new"] && !textOf(form, "password.current"))
    return { ...state, error: t("errors.fields", { count: 2 }), fieldErrors: { "password.current": t("me.password.missing"), ...state.fieldErrors } };
  if (state.code !== "INVALID_CREDENTIALS") return state;
  const error = t(textOf(form, "password.current") ? "me.password.wrong" : "me.password.missing");
  return { ...state, error, fieldErrors: { "password.current": error } };
}

/** Keeps how the viewer likes the site: with the account, and, for the look, with this browser. */
export async function savePreferences(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const [chosenLocale, chosenTheme] = [textOf(form, "locale"), textOf(form, "theme")];
    const locale = isLocale(chosenLocale) ? chosenLocale : null;
    const hasShortcuts = isTicked(form, "hasShortcuts");
    await updatePreferences(await currentViewer(), { locale, hasShortcuts });
    await keepLocale(locale);
    await keepShortcuts(hasShortcuts);
    await keepTheme(THEMES.find((theme) => theme === chosenTheme) ?? null);
    return "/me?notice=preferences#preferences";
  });
}

/** Signs one device out. */
export async function signOutDevice(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await endSession(await currentViewer(), textOf(form, "sessionId"));
    return "/me?notice=session#sessions";
  });
}

/** Signs every device out but this one. */
export async function signOutElsewhere(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await endOtherSessions(await currentViewer());
    return "/me?notice=sessions#sessions";
  });
}
