"use server";

import { getTranslations } from "next-intl/server";
import { z } from "zod";
import type { FormState } from "#components/ui/form";
import { env } from "#lib/env";
import { isLocale } from "#lib/locales";
import { isCommonPassword } from "#server/common-passwords";
import { siteTitle } from "#server/settings";
import { newSite, setUp } from "#server/setup";
import { displayName, newCredentials } from "#server/users";
import { colorOf, isTicked, optionalTextOf, submitForm, textOf } from "../forms.ts";
import { currentLocale } from "../preferences.ts";
import { currentVisit, startBrowserSession } from "../visit.ts";
import { BOARD_TEMPLATES } from "./board-templates.ts";

// A person is asked for what a program may leave out.
const answers = newCredentials.extend({ ...newSite.shape, name: displayName, siteTitle });
const setupToken = z.string().refine((token) => token !== "", { params: { problem: "noSetupToken" } });
// A part of the answers, not a rule that comes after them: what else is wrong is named beside it.
const uncommonPassword = answers.shape.password.refine((password) => !isCommonPassword(password), { params: { code: "PASSWORD_TOO_COMMON" } });

/** Makes the site and its owner, and the first board where one was chosen. Ends signed in. */
export async function setUpSite(_state: FormState, form: FormData): Promise<FormState> {
  const state = await submitForm(form, async () => {
    const owner = await setUp(await currentVisit(), await readAnswers(form));
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
    await readAnswers(form);
    return {};
  });
}

/**
 * What was answered: the token only where one keeps strangers out, an uncommon password where the others are to be refused.
 * @throws ZodError that names every answer that is wrong
 */
async function readAnswers(form: FormData) {
  const given = await answersOf(form);
  const asked = given.blockCommonPasswords ? answers.extend({ password: uncommonPassword }) : answers;
  return (env().SETUP_TOKEN === undefined ? asked : asked.extend({ setupToken })).parse(given);
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
