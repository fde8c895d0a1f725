"use server";

import { getTranslations } from "next-intl/server";
import type { FormState } from "#components/ui/form";
import { sendTestLetter } from "#server/mails/test-letter";
import { updateSettings } from "#server/settings";
import { type LogoChange, updateBranding } from "#server/settings/branding";
import { colorOf, fileOf, isTicked, submitForm, textOf } from "../../forms.ts";
import { currentViewer, currentVisit } from "../../visit.ts";

/** Saves what the site is called, its language and time, and what is linked from every page. */
export async function saveGeneral(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const names = ["title", "description", "locale", "timeZone", "contact", "privacyUrl", "imprintUrl"];
    await updateSettings(await currentViewer(), Object.fromEntries(names.map((name) => [name, textOf(form, name)])));
    return "/dashboard/settings?notice=saved";
  });
}

/** Saves the site's color and whether it says what it runs on, and its logo if there is something new about it. */
export async function saveBranding(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await updateBranding(
      await currentViewer(),
      { accentColor: colorOf(form, "accentColor"), showPoweredBy: isTicked(form, "showPoweredBy") },
      await logoChange(form),
    );
    return "/dashboard/settings/branding?notice=saved";
  });
}

/** Saves who may take part. */
export async function saveAccess(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const names = ["allowSignup", "blockCommonPasswords"];
    await updateSettings(await currentViewer(), Object.fromEntries(names.map((name) => [name, isTicked(form, name)])));
    return "/dashboard/settings/access?notice=saved";
  });
}

/** Sends a letter to the owner, and says what came of it: a refusal in the mail server's own words. */
export async function tryMail(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const result = await sendTestLetter(await currentViewer(), await currentVisit());
    const t = await getTranslations("settings.mail.test");
    if (result.outcome === "refused") return { error: t("refused", { words: result.words }) };
    if (result.outcome === "unanswered") return { error: t("unanswered", { seconds: result.afterMs / 1000 }) };
    return `/dashboard/settings/mail?notice=${result.outcome}`;
  });
}

async function logoChange(form: FormData): Promise<LogoChange> {
  const bytes = await fileOf(form, "logo");
  if (bytes.length > 0) return bytes;
  return isTicked(form, "removeLogo") ? "remove" : "keep";
}
