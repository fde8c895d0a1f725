import { beforeEach, expect, test, vi } from "vitest";
import { findViewer } from "#lib/auth";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { failureOf } from "./testing/failures.ts";
import { aMember, aSite, aVisit } from "./testing/people.ts";
import { signedInUserJson, signUp } from "./users.ts";

vi.hoisted(() => {
  process.env.MAIL = "outbox";
});

useDatabase();

const ADA = { email: "ada@example.org", password: "correct horse" };
const WRONG_NAME = { name: "x".repeat(61) };

beforeEach(() => aSite());

/** The failure of signing up, as the API would answer it. */
async function failure(input: unknown): Promise<unknown> {
  return failureOf(signUp(aVisit(), input));
}

test("sign-up makes a member's account, signed in, and queues the confirming letter", async () => {
  const user = await signUp(aVisit(), { ...ADA, email: " Ada@Bücher.example", name: " Ada 🎉 " });

  expect(signedInUserJson.parse(user)).toEqual(user);
  expect(user).toMatchObject({ email: "ada@xn--bcher-kva.example", name: "Ada 🎉", avatar: `https://feedback.example.com/avatars/${user.userId}` });
  expect(await findViewer(user.authToken)).toMatchObject({ userId: user.userId, role: "MEMBER", isVerified: false });
  expect(await db.mail.findMany()).toMatchObject([{ to: "ada@xn--bcher-kva.example", userId: user.userId, letter: "confirm-address", status: "QUEUED" }]);
});

test("what is public of a person is made from nothing private", async () => {
  const { name, username } = await signUp(aVisit(), { email: "lovelace@example.org", password: "correct horse", name: "" });

  expect(username).toMatch(/^[a-z]+(-[a-z]+)+-\d+$/);
  expect(name).toMatch(/^[A-Z][a-z]+( [A-Z][a-z]+)+$/);
  expect(`${name} ${username}`.toLowerCase()).not.toMatch(/lovelace|example/);
});

test("nobody becomes an owner or confirmed by asking for it", async () => {
  const userId = "0190a8a0-0000-7000-8000-00000000000a";

  await signUp(aVisit(), {
    ...ADA,
    role: "OWNER",
    userId,
    username: "admin",
    verifiedAt: new Date(),
    isVerified: true,
    isDemo: true,
    passwordHash: "x",
    blockedAt: null,
  });

  const user = await db.user.findFirstOrThrow();
  expect(user).toMatchObject({ role: "MEMBER", verifiedAt: null, isDemo: false });
  expect([user.userId, user.username, user.passwordHash]).not.toContain(userId);
  expect(user.username).not.toBe("admin");
  expect(user.passwordHash).toMatch(/^\$2b\$12\$/);
});

test("before set-up there may be members, but no owner", async () => {
  await db.siteSettings.deleteMany();

  const user = await signUp(aVisit({ ownOrigin: "http://10.0.0.7:3000", callerOrigin: "https://evil.example.net" }), ADA);

  expect(await db.user.findMany({ select: { role: true } })).toEqual([{ role: "MEMBER" }]);
  expect(user.avatar).toMatch(/^http:\/\/10\.0\.0\.7:3000\/avatars\//);
  expect(JSON.stringify((await db.mail.findFirstOrThrow()).props)).toContain("http://10.0.0.7:3000/confirm-address");
});

test("no caller has us mail a link to a foreign host", async () => {
  await signUp(aVisit({ callerOrigin: "https://evil.example.net", ownOrigin: "https://evil.example.net" }), ADA);

  const props = JSON.stringify((await db.mail.findFirstOrThrow()).props);
  expect(props).toContain("https://feedback.example.com/confirm-address?token=");
  expect(props).not.toContain("evil");
});

test.for([
  ["EMAIL_INVALID", { email: "x", password: "x", ...WRONG_NAME }],
  ["EMAIL_INVALID", {}],
  ["EMAIL_INVALID", { email: { not: "" }, password: { not: "" } }],
  ["PASSWORD_MISSING", { email: "ada@example.org", ...WRONG_NAME }],
  ["PASSWORD_TOO_SHORT", { email: "taken@example.org", password: "1234567", ...WRONG_NAME }],
  ["PASSWORD_TOO_LONG", { email: "ada@example.org", password: "🎉".repeat(257) }],
  ["VALIDATION_ERROR", { email: "taken@example.org", password: "correct horse", ...WRONG_NAME }],
  ["VALIDATION_ERROR", { ...ADA, name: ["Ada"] }],
  ["VALIDATION_ERROR", { ...ADA, name: "Ada\nBcc: x" }],
  ["VALIDATION_ERROR", { ...ADA, name: "half \ud83c" }],
  ["USER_EXISTS", { email: "taken@example.org", password: "correct horse" }],
] as const)("sign-up answers the first thing that is wrong: %s for %o", async ([code, input]) => {
  await aMember({ email: "taken@example.org" });

  expect(await failure(input)).toMatchObject({ code });
  expect([await db.user.count(), await db.mail.count()]).toEqual([1, 0]);
});

test.for([
  ["EMAIL_INVALID", { email: "x", password: "correct horse" }],
  ["PASSWORD_MISSING", { email: "ada@example.org" }],
  ["SIGNUP_NOT_ALLOWED", { ...ADA, ...WRONG_NAME }],
  ["SIGNUP_NOT_ALLOWED", { email: "taken@example.org", password: "correct horse" }],
] as const)("where sign-up is closed, %s for %o", async ([code, input]) => {
  await aMember({ email: "taken@example.org" });
  await db.siteSettings.updateMany({ data: { allowSignup: false } });

  expect(await failure(input)).toMatchObject({ code });
  expect(await db.user.count()).toBe(1);
});

test.for(["taken@example.org", "TAKEN@Example.ORG", "  taken@example.org\t"])("an address is taken in any case: %j", async (email) => {
  await aMember({ email: "taken@example.org" });

  expect(await failure({ email, password: "another password" })).toMatchObject({ code: "USER_EXISTS", status: 409, field: "email" });
});

test("an international domain is taken in both of its forms", async () => {
  await aMember({ email: "ada@xn--bcher-kva.example" });

  expect(await failure({ ...ADA, email: "ada@BÜCHER.example" })).toMatchObject({ code: "USER_EXISTS" });
});

test("a common password is refused where the owner asked for that, before it is said that sign-up is closed", async () => {
  await db.siteSettings.updateMany({ data: { blockCommonPasswords: true, allowSignup: false } });

  expect(await failure({ ...ADA, password: "Password1" })).toMatchObject({ code: "PASSWORD_TOO_COMMON", status: 400 });
  expect(await failure(ADA)).toMatchObject({ code: "SIGNUP_NOT_ALLOWED" });
});

test("a common password is taken where nobody asked", async () => {
  expect(await signUp(aVisit(), { ...ADA, password: "password" })).toMatchObject({ email: "ada@example.org" });
});

test("an account whose letter cannot be written is not made", async () => {
  await db.$executeRaw`ALTER TABLE "Mail" ADD CONSTRAINT "no_letters" CHECK (false) NOT VALID`;

  await expect(signUp(aVisit(), ADA)).rejects.toThrow();

  await db.$executeRaw`ALTER TABLE "Mail" DROP CONSTRAINT "no_letters"`;
  expect([await db.user.count(), await db.session.count(), await db.mailToken.count()]).toEqual([0, 0, 0]);
});
