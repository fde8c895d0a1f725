"use server";

import { getTranslations } from "next-intl/server";
import { z } from "zod";
import type { FormState } from "#components/ui/form";
import { findViewer } from "#lib/auth";
import { createBoard, newBoard } from "#server/boards";
import { updateSettings } from "#server/settings";
import { setUp } from "#server/setup";
import { optionalTextOf, submitForm, textOf } from "../forms.ts";
import { currentVisit, startBrowserSession } from "../visit.ts";

// Looked at before the account is made, so that a form that comes back has changed nothing.
const firstBoard = z.object({ boardName: newBoard.shape.name.optional() });

/** Makes the site and its owner, and the first board where one was named. Ends signed in. */
export async function setUpSite(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const { boardName } = firstBoard.parse({ boardName: optionalTextOf(form, "boardName") });
    const owner = await setUp(await currentVisit(), {
      siteTitle: textOf(form, "siteTitle"),
      name: textOf(form, "name"),
      email: textOf(form, "email"),
      password: textOf(form, "password"),
      setupToken: optionalTextOf(form, "setupToken"),
    });
    await startBrowserSession(owner.authToken);
    const viewer = await findViewer(owner.authToken);
    if (form.has("blockCommonPasswords")) await updateSettings(viewer, { blockCommonPasswords: true });
    if (boardName) await createBoard(viewer, { name: boardName });
    return "/dashboard?notice=set-up";
  });
  if (state.code !== "SETUP_COMPLETED") return state;
  const t = await getTranslations("setup");
  return { ...state, link: { href: "/login", text: t("signIn") } };
}
