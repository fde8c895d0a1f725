import { expect, test, vi } from "vitest";
import { findViewer } from "#lib/auth";
import { db } from "#lib/db";
import { knownError } from "#lib/failures";
import { useDatabase } from "#lib/testing/database";
import { isSetUp, setUp } from "./setup.ts";
import { aMember, aSite, aVisit } from "./testing/people.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const OWNER = { email: "ada@example.org", password: "correct horse" };

test("a new site is not set up, and set-up makes its owner, signed in, and its title", async () => {
  expect(await isSetUp()).toBe(false);

  const user = await setUp(aVisit(), { email: " Ada@Example.org ", password: "correct horse", siteTitle: "Nimbus 🎉", name: "Ада" });

  expect(user).toEqual({
    authToken: expect.stringMatching(/^[\w-]{43}$/),
    userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
    name: "Ада",
    username: expect.stringMatching(/^[a-z-]+-\d+$/),
    email: "ada@example.org",
    avatar: `http://localhost:3000/avatars/${user.userId}`,
  });
  expect(await findViewer(user.authToken)).toMatchObject({ userId: user.userId, role: "OWNER", isVerified: false });
  expect(await isSetUp()).toBe(true);
  expect(await db.siteSettings.findMany()).toMatchObject([
    { title: "Nimbus 🎉", siteUrl: "http://localhost:3000", allowSignup: true, blockCommonPasswords: false },
  ]);
});

test("set-up makes the first board that it names, counted and owned", async () => {
  const owner = await setUp(aVisit(), { ...OWNER, boardName: "💡 Ideas" });

  expect(await db.board.findMany()).toMatchObject([{ name: "💡 Ideas", url: "ideas", isPrivate: false, createdById: owner.userId }]);
  expect(await db.siteSettings.findFirst()).toMatchObject({ publicBoardCount: 1, privateBoardCount: 0 });
});

test("an owner who refuses common passwords cannot have one, and nothing is made", async () => {
  await expect(setUp(aVisit(), { ...OWNER, password: "password1", blockCommonPasswords: true })).rejects.toMatchObject({ code: "PASSWORD_TOO_COMMON" });

  expect(await isSetUp()).toBe(false);
  expect(await db.user.count()).toBe(0);
});

test("a program need not give a title or a name, and unknown fields are ignored", async () => {
  const user = await setUp(aVisit(), { ...OWNER, siteTitle: "  ", role: "MEMBER", userId: "x", isOwner: false, verifiedAt: "2020-01-01" });

  expect(user.name).toMatch(/^[A-Z][a-z]+( [A-Z][a-z]+)+$/);
  expect(user.name.toLowerCase()).not.toMatch(/\bada\b/);
  expect(await db.siteSettings.findFirst()).toMatchObject({ title: "Feedback" });
  expect(await db.user.findFirst()).toMatchObject({ role: "OWNER", verifiedAt: null });
});

test("the confirming letter is queued with the account", async () => {
  await setUp(aVisit({ callerOrigin: "https://feedback.example.com" }), OWNER);

  const [mail] = await db.mail.findMany();
  expect(mail).toMatchObject({ to: "ada@example.org", letter: "confirm-address", status: "QUEUED" });
  expect(JSON.stringify(mail?.props)).toContain("https://feedback.example.com/confirm-address?token=");
});

test("the site's address is its caller's origin, else the one that was called", async () => {
  const user = await setUp(aVisit({ callerOrigin: "https://feedback.example.com", ownOrigin: "http://10.0.0.7:3000" }), OWNER);

  expect(user.avatar).toMatch(/^https:\/\/feedback\.example\.com\/avatars\//);
  expect(await db.siteSettings.findFirst()).toMatchObject({ siteUrl: "https://feedback.example.com" });
});

test.for([
  ["an address that is none before anything else", { email: "x", password: "", siteTitle: "x".repeat(101) }, 400, "EMAIL_INVALID"],
  ["a missing address", {}, 400, "EMAIL_INVALID"],
  ["a missing password before a wrong title", { email: "ada@example.org", siteTitle: "x".repeat(101) }, 400, "PASSWORD_MISSING"],
  ["an empty password", { email: "ada@example.org", password: "" }, 400, "PASSWORD_MISSING"],
  ["a short password", { email: "ada@example.org", password: "1234567" }, 400, "PASSWORD_TOO_SHORT"],
  ["a long password", { email: "ada@example.org", password: "x".repeat(257) }, 400, "PASSWORD_TOO_LONG"],
  ["a title over 100 characters", { ...OWNER, siteTitle: "🎉".repeat(101) }, 400, "VALIDATION_ERROR"],
  ["a name over 60 characters", { ...OWNER, name: "🎉".repeat(61) }, 400, "VALIDATION_ERROR"],
  ["a title that is no text", { ...OWNER, siteTitle: 7 }, 400, "VALIDATION_ERROR"],
  ["a name with a line break", { ...OWNER, name: "Ada\r\nBcc: eve@example.org" }, 400, "VALIDATION_ERROR"],
  ["a title with a NUL", { ...OWNER, siteTitle: "a\0b" }, 400, "VALIDATION_ERROR"],
  ["a name of null", { ...OWNER, name: null }, 400, "VALIDATION_ERROR"],
] as const)("set-up refuses %s, and makes nothing", async ([, input, status, code]) => {
  const error = await setUp(aVisit(), input).catch((reason: unknown) => reason);

  expect(knownError(error)).toMatchObject({ status, code });
  expect([await isSetUp(), await db.user.count(), await db.mail.count()]).toEqual([false, 0, 0]);
});

test.for([
  ["a right input", { email: "eve@example.org", password: "correct horse" }, "SETUP_COMPLETED"],
  ["the owner's own address", OWNER, "SETUP_COMPLETED"],
  ["a wrong title, which is looked at later", { email: "eve@example.org", password: "correct horse", siteTitle: "x".repeat(101) }, "SETUP_COMPLETED"],
  ["a wrong address, which is looked at first", { email: "x", password: "correct horse" }, "EMAIL_INVALID"],
  ["a short password, which is looked at first", { email: "eve@example.org", password: "x" }, "PASSWORD_TOO_SHORT"],
] as const)("a second set-up with %s is %s, and changes nothing", async ([, input, code]) => {
  await aSite({ title: "Before" });

  const error = await setUp(aVisit({ callerOrigin: "https://evil.example.net" }), input).catch((reason: unknown) => reason);

  expect(knownError(error)).toMatchObject({ code });
  expect(await db.siteSettings.findMany()).toMatchObject([{ title: "Before", siteUrl: "https://feedback.example.com" }]);
  expect(await db.user.count()).toBe(0);
});

test("a member's address cannot become the owner's, and set-up stays open", async () => {
  await aMember({ email: "ada@example.org" });

  await expect(setUp(aVisit(), { ...OWNER, email: "ADA@example.org" })).rejects.toMatchObject({ code: "USER_EXISTS", status: 409 });

  expect(await isSetUp()).toBe(false);
  expect(await db.user.findMany({ select: { role: true } })).toEqual([{ role: "MEMBER" }]);
});

test("set-up is done by a row of its own, not by there being an owner", async () => {
  await aSite();

  expect(await db.user.count()).toBe(0);
  await expect(setUp(aVisit(), OWNER)).rejects.toMatchObject({ code: "SETUP_COMPLETED", status: 403 });
});

test.each([
  ["a wrong title", { siteTitle: 5 }],
  ["nothing else that is wrong", {}],
])("a common password is refused beside %s, where the new site is to refuse it", async (_what, rest) => {
  const common = { email: "ada@example.org", password: "password", ...rest };

  await expect(setUp(aVisit(), { ...common, blockCommonPasswords: true })).rejects.toMatchObject({ code: "PASSWORD_TOO_COMMON" });

  expect(await db.user.count()).toBe(0);
});

test.each([
  [true, "PASSWORD_TOO_COMMON"],
  [false, "SETUP_COMPLETED"],
] as const)("after set-up the site's own rule decides of a common password: %s", async (blockCommonPasswords, code) => {
  await aSite({ blockCommonPasswords });

  const wish = { blockCommonPasswords: !blockCommonPasswords };
  await expect(setUp(aVisit(), { email: "eve@example.org", password: "password", ...wish })).rejects.toMatchObject({ code });
});
