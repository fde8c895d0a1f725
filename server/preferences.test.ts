import { expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { resendConfirmation } from "./email-confirmation.ts";
import { getMail } from "./mails/letters.ts";
import { getPreferences, preferencesOf, updatePreferences } from "./preferences.ts";
import { aMember, anOwner, aSite, aVisit } from "./testing/people.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

test("who has chosen nothing has shortcuts, and the language that their browser asks for", async () => {
  const { viewer, userId } = await aMember();

  expect(await getPreferences(viewer)).toEqual({ locale: null, hasShortcuts: true });
  expect(await preferencesOf(userId)).toMatchObject({ locale: null });
});

test("what is given is changed, and nothing else", async () => {
  const { viewer, userId } = await aMember();
  const before = await db.user.findUniqueOrThrow({ where: { userId } });

  await updatePreferences(viewer, { locale: "de", role: "OWNER", email: "eve@example.org" });
  await updatePreferences(viewer, { hasShortcuts: false });

  expect(await db.user.findUniqueOrThrow({ where: { userId } })).toEqual({ ...before, locale: "de", hasShortcuts: false });
  expect(await preferencesOf(userId)).toMatchObject({ locale: "de", hasShortcuts: false });
  await updatePreferences(viewer, { locale: null });
  expect(await getPreferences(viewer)).toMatchObject({ locale: null, hasShortcuts: false });
});

test.for([{ locale: "tlh" }, { locale: "en-XA" }, { locale: "" }, { locale: 7 }, { hasShortcuts: "yes" }])("%j is no preference", async (input) => {
  const { viewer } = await aMember();

  await expect(updatePreferences(viewer, input)).rejects.toMatchObject({ name: "ZodError" });
});

test("letters are written in the language that the person chose, else in the site's", async () => {
  await aSite({ locale: "ar" });
  const owner = await anOwner({ verifiedAt: new Date() });
  const [german, nobody] = [await aMember({ locale: "de" }), await aMember()];

  for (const { viewer } of [german, nobody]) await resendConfirmation(viewer, aVisit());

  const mails = await db.mail.findMany({ orderBy: { mailId: "asc" } });
  const letters = await Promise.all(mails.map(({ mailId }) => getMail(owner.viewer, mailId)));
  expect(letters.map(({ rendered }) => /<html[^>]*>/.exec(rendered?.html ?? "")?.[0])).toEqual(['<html lang="de" dir="ltr">', '<html lang="ar" dir="rtl">']);
});

test("preferences are for who is signed in", async () => {
  await expect(getPreferences(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(updatePreferences(null, { locale: 7 })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
