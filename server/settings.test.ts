import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import {
  getAccountRules,
  getSettings,
  getSite,
  linkOrigin,
  publicSettingsJson,
  settingsJson,
  siteUrl,
  toPublicSettingsJson,
  toSettingsJson,
  updateSettings,
} from "./settings.ts";
import { failureOf } from "./testing/failures.ts";
import { aMember, anOwner, aSite, aVisit, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite();
  owner = await anOwner();
});

test("the public sees the title and what else public pages show, and no more", async () => {
  const settings = toPublicSettingsJson(aVisit(), await getSite());

  expect(settings).toEqual({ title: "Nimbus", description: "", allowSignup: true, accentColor: "0f6b7c", logo: null });
  expect(publicSettingsJson.strict().parse(settings)).toEqual(settings);
});

test("before set-up there are defaults", async () => {
  await db.siteSettings.deleteMany();

  expect(await getSite()).toMatchObject({ title: "Feedback", allowSignup: true });
  expect(await getAccountRules()).toEqual({ allowSignup: true, blockCommonPasswords: false });
  expect(await siteUrl(aVisit({ ownOrigin: "http://10.0.0.7:3000" }))).toBe("http://10.0.0.7:3000");
});

test("an owner changes what is given and sees all of it", async () => {
  const change = { title: " Acme 🎉 ", allowSignup: false, accentColor: "FF8800", requireConfirmedEmail: true };

  const settings = await updateSettings(owner.viewer, change);

  const answer = toSettingsJson(aVisit(), settings);
  expect(answer).toEqual({
    title: "Acme 🎉",
    description: "",
    allowSignup: false,
    accentColor: "ff8800",
    requireConfirmedEmail: true,
    blockCommonPasswords: false,
    logo: null,
  });
  expect(settingsJson.strict().parse(answer)).toEqual(answer);
  expect(await getSettings(owner.viewer)).toEqual(settings);
  expect(await getSite()).toMatchObject({ title: "Acme 🎉", allowSignup: false });
  expect(await getAccountRules()).toMatchObject({ allowSignup: false });
});

test("language, time zone and links can be set, and taken away again", async () => {
  const change = {
    locale: "ar",
    timeZone: "Asia/Dubai",
    contact: "https://example.com/contact",
    imprintUrl: "https://example.com/imprint",
    privacyUrl: "http://example.com/privacy",
    showPoweredBy: false,
  };

  expect(await updateSettings(owner.viewer, change)).toMatchObject(change);
  expect(await getSite()).toMatchObject(change);
  expect(await updateSettings(owner.viewer, { contact: " Team@Bücher.example " })).toMatchObject({ contact: "Team@Bücher.example" });
  const none = { contact: "", imprintUrl: "", privacyUrl: "", showPoweredBy: true };
  expect(await updateSettings(owner.viewer, none)).toMatchObject(none);
});

test("an empty change changes nothing", async () => {
  const before = await getSettings(owner.viewer);

  expect(await updateSettings(owner.viewer, {})).toEqual(before);
});

test("what is no setting, or not one to be set, stays as it is", async () => {
  const before = await db.siteSettings.findFirst();

  await updateSettings(owner.viewer, {
    settingsId: 2,
    siteUrl: "https://evil.example.net",
    publicBoardCount: 7,
    privateBoardCount: 7,
    setUpAt: "2020-01-01",
    logo: "x",
    unknown: true,
  });

  expect(await db.siteSettings.findMany()).toEqual([before]);
});

test("members and strangers change nothing and see no more than the public", async () => {
  const member = await aMember();

  for (const ask of [(viewer: Person["viewer"] | null) => updateSettings(viewer, { title: 7 }), (viewer: Person["viewer"] | null) => getSettings(viewer)]) {
    await expect(ask(member.viewer)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
    await expect(ask(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  }
});

test.for([
  ["title", ""],
  ["title", "   "],
  ["title", "🎉".repeat(101)],
  ["title", null],
  ["title", "a\nb"],
  ["title", { not: "" }],
  ["description", "x".repeat(501)],
  ["description", 7],
  ["allowSignup", "yes"],
  ["allowSignup", null],
  ["allowSignup", 1],
  ["accentColor", "#4f46e5"],
  ["accentColor", "red"],
  ["accentColor", "4f46e5\n"],
  ["accentColor", 123_456],
  ["requireConfirmedEmail", []],
  ["blockCommonPasswords", "true"],
  ["locale", "tlh"],
  ["locale", 1],
  ["timeZone", "Mars/Olympus"],
  ["timeZone", ""],
  ["contact", "javascript:alert(1)"],
  ["contact", "mailto:team@example.com"],
  ["contact", "Team <team@example.com>"],
  ["contact", "a@b"],
  ["contact", `https://example.com/${"x".repeat(500)}`],
  ["imprintUrl", "javascript:alert(1)"],
  ["imprintUrl", "https://x/\u0000"],
  ["imprintUrl", "https://x/\ud800"],
  ["imprintUrl", "https://somebody:secret@example.com/"],
  ["imprintUrl", "https:example.com"],
  ["showPoweredBy", "no"],
  ["privacyUrl", "example.com"],
  ["privacyUrl", `https://example.com/${"x".repeat(500)}`],
] as const)("%s cannot be %j", async ([field, value]) => {
  const error = await failureOf(updateSettings(owner.viewer, { [field]: value }));

  expect(error).toMatchObject({ code: "VALIDATION_ERROR", status: 400, field, message: expect.stringContaining(field) });
});

test("a title of 100 emoji and a description of 500 fit", async () => {
  expect(await updateSettings(owner.viewer, { title: "🎉".repeat(100), description: "🎉".repeat(500) })).toMatchObject({ title: "🎉".repeat(100) });
});

test("after set-up links lead to the stored address, whatever a caller says", async () => {
  for (const origin of ["https://evil.example.net", "http://10.0.0.7:3000"]) {
    expect(await linkOrigin(aVisit({ callerOrigin: origin, ownOrigin: origin }))).toBe("https://feedback.example.com");
  }
});
