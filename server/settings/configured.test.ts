import { expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { linkOrigin, siteUrl } from "../settings.ts";
import { setUp } from "../setup.ts";
import { anOwner, aSite, aVisit } from "../testing/people.ts";
import { describeMail } from "./mail.ts";

vi.hoisted(() => {
  Object.assign(process.env, {
    MAIL: "outbox",
    SITE_URL: "https://public.example.com",
    ALLOWED_ORIGINS: "https://www.example.com",
    SETUP_TOKEN: "a-long-token",
  });
});

useDatabase();

const OWNER = { email: "ada@example.org", password: "correct horse" };

test("SITE_URL is the site's address before and after set-up", async () => {
  expect(await siteUrl(aVisit())).toBe("https://public.example.com");
  await aSite({ siteUrl: "https://stored.example.com" });
  expect(await siteUrl(aVisit({ callerOrigin: "https://evil.example.net" }))).toBe("https://public.example.com");
});

test("before set-up no caller chooses where a letter's link leads", async () => {
  expect(await linkOrigin(aVisit({ callerOrigin: "https://www.example.com" }))).toBe("https://public.example.com");
});

test("a caller chooses among SITE_URL and ALLOWED_ORIGINS where a letter's link leads", async () => {
  await aSite();
  expect(await linkOrigin(aVisit({ callerOrigin: "https://www.example.com" }))).toBe("https://www.example.com");
  for (const callerOrigin of [null, "https://evil.example.net", "http://www.example.com", "https://www.example.com:8443"]) {
    expect(await linkOrigin(aVisit({ callerOrigin }))).toBe("https://public.example.com");
  }
});

test.for([undefined, "", "wrong-token", "A-LONG-TOKEN", ["a-long-token"]])("with SETUP_TOKEN, set-up is closed to who says %j", async (setupToken) => {
  await expect(setUp(aVisit(), { ...OWNER, setupToken })).rejects.toThrow();

  expect([await db.user.count(), await db.siteSettings.count()]).toEqual([0, 0]);
});

test("a wrong SETUP_TOKEN is FORBIDDEN, after what else is wrong", async () => {
  await expect(setUp(aVisit(), OWNER)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403, field: "setupToken" });
  await expect(setUp(aVisit(), { ...OWNER, siteTitle: "x".repeat(101) })).rejects.toMatchObject({ name: "ZodError" });
});

test("who knows SETUP_TOKEN sets up, at SITE_URL and no other address", async () => {
  const user = await setUp(aVisit({ callerOrigin: "https://evil.example.net" }), { ...OWNER, setupToken: "a-long-token" });

  expect(user.avatar).toMatch(/^https:\/\/public\.example\.com\//);
  expect(await db.siteSettings.findFirst()).toMatchObject({ siteUrl: "https://public.example.com" });
  expect(JSON.stringify((await db.mail.findFirstOrThrow()).props)).not.toContain("evil");
});

test("where letters go nowhere, those that failed while they went somewhere trouble nobody", async () => {
  await aSite();
  const { viewer } = await anOwner();
  await db.mail.create({ data: { to: "ada@example.com", letter: "test", props: {}, status: "FAILED", attempts: 1, lastError: "550 No such user" } });

  expect(await describeMail(viewer, aVisit())).toMatchObject({ kind: "outbox", failures: { matters: [], checks: [] } });
});
