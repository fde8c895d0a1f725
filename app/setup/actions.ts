"use server";

import { getTranslations } from "next-intl/server";
import { z } from "zod";
import type { FormState } from "#components/ui/form";
import { env } from "#lib/env";
import { isLocale } from "#lib/locales";
import { refuseCommonPassword } from "#server/common-passwords";
import { siteTitle } from "#server/settings";
import { newSite, setUp } from "#server/setup";
import { displayName, newCredentials } from "#server/users";
import { colorOf, isTicked, optionalTextOf, submitForm, textOf } from "../forms.ts";
import { currentLocale } from "../preferences.ts";
import { currentVisit, startBrowserSession } from "../visit.ts";
import { BOARD_TEMPLATES } from "./board-templates.ts";

// A person is asked for what a program may leave out.
const answers = newCredentials.extend({ ...newSite.shape, name: displayName, siteTitle });
const setupToken = z.string().refine((token) => token !== "", { params: { problem: "empty" } });

/** Makes the site and its owner, and the first board where one was chosen. Ends signed in. */
export async function setUpSite(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const owner = await setUp(await currentVisit(), wizard().parse(await answersOf(form)));
    await startBrowserSession(owner);
    return "/dashboard?notice=set-up";
  });
  const t = await getTranslations("setup");
  if (state.code === "SETUP_COMPLETED") return { ...state, link: { href: "/login", text: t("signIn") } };
  // Nobody has an account yet: all that can be forbidden here is to go on without the token.
  if (state.code === "FORBIDDEN") return { ...state, error: t("wrongToken"), fieldErrors: { setupToken: t("wrongToken") } };
  return state;
}

/** Says of the step that asks for the owner and the site what `setUpSite` would say at the end, as far as that can be said of the answers alone: who guesses at the token is counted there. */
export async function checkOwner(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const { password, blockCommonPasswords } = wizard().parse(await answersOf(form));
    if (blockCommonPasswords) refuseCommonPassword(password);
    return {};
  });
}

/** What the wizard asks for; the token only where one keeps strangers out. */
function wizard() {
  return env().SETUP_TOKEN === undefined ? answers : answers.extend({ setupToken });
}

async function answersOf(form: FormData) {
  return {
    // Whoever calls an action by its id may send anything.
    ...(form instanceof FormData ? Object.fromEntries(form) : {}),
    ...(await firstBoard(form)),
    accentColor: colorOf(form, "accentColor"),
    timeZone: knownTimeZone(optionalTextOf(form, "timeZone")),
    locale: await siteLocale(),
    blockCommonPasswords: isTicked(form, "blockCommonPasswords"),
  };
}

/** What the browser says, which may know time zones that this machine does not; nobody sees that field, and nobody is to mend it. */
function knownTimeZone(name?: string): string | undefined {
  return newSite.shape.timeZone.safeParse(name).data;
}

/** The wizard's language becomes the site's. */
async function siteLocale(): Promise<string | undefined> {
  const locale = await currentLocale();
  return isLocale(locale) ? locale : undefined;
}

/** The board that was chosen, in the page's language; an own one is called what was typed, if that is a name. */
async function firstBoard(form: FormData): Promise<{ boardName?: string; boardDescription?: string; boardColor?: string }> {
  const chosen = textOf(form, "template");
  const board = BOARD_TEMPLATES.find(({ template }) => template === chosen);
  if (!board) return { boardName: chosen === "own" ? textOf(form, "boardName") : undefined };
  const t = await getTranslations("setup.templates");
  return { boardName: t(`${board.template}.name`), boardDescription: t(`${board.template}.description`), boardColor: board.color };
}
