"use server";

import { getTranslations } from "next-intl/server";
import { z } from "zod";
import type { FormState } from "#components/ui/form";
import { findViewer } from "#lib/auth";
import { boundedText } from "#lib/text";
import { createBoard, newBoard } from "#server/boards";
import { siteTitle, updateSettings } from "#server/settings";
import { setUp } from "#server/setup";
import { newCredentials } from "#server/users";
import { optionalTextOf, submitForm } from "../forms.ts";
import { currentVisit, startBrowserSession } from "../visit.ts";

// All of it is looked at before anything is made: a form that comes back names every field, and has changed nothing.
const wizard = newCredentials.extend({
  name: boundedText({ min: 1, max: 60 }),
  siteTitle,
  boardName: newBoard.shape.name.optional(),
  setupToken: z.string().optional(),
});

/** Makes the site and its owner, and the first board where one was named. Ends signed in. */
export async function setUpSite(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const { boardName, ...site } = wizard.parse({ ...Object.fromEntries(form), boardName: optionalTextOf(form, "boardName") });
    const owner = await setUp(await currentVisit(), site);
    await startBrowserSession(owner.authToken);
    const viewer = await findViewer(owner.authToken);
    if (form.has("blockCommonPasswords")) await updateSettings(viewer, { blockCommonPasswords: true });
    if (boardName) await createBoard(viewer, { name: boardName });
    return "/dashboard?notice=set-up";
  });
  const t = await getTranslations("setup");
  if (state.code === "SETUP_COMPLETED") return { ...state, link: { href: "/login", text: t("signIn") } };
  // Nobody has an account yet: all that can be forbidden here is to go on without the token.
  if (state.code === "FORBIDDEN") return { ...state, error: t("wrongToken"), fieldErrors: { setupToken: t("wrongToken") } };
  return state;
}
