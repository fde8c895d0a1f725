import { beforeEach, expect, test } from "vitest";
import { findViewer } from "#lib/auth";
import { db } from "#lib/db";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { scale } from "#lib/testing/scale";
import { logIn } from "../login.ts";
import { listPeople } from "../people.ts";
import { failureOf } from "../testing/failures.ts";
import { aMember, anOwner, aSession, aSite, aVisit, PASSWORD, type Person } from "../testing/people.ts";
import { getOwnUser, ownUserJson, toOwnUserJson, updateOwnUser } from "../users.ts";

useDatabase();

const NEW_PASSWORD = "another password";

let member: Person;

beforeEach(async () => {
  await aSite();
  member = await aMember({ email: "ada@example.org", name: "Ada" });
});

/** The failure of a change, as the API would answer it. */
async function failure(input: unknown): Promise<unknown> {
  return failureOf(updateOwnUser(member.viewer, aVisit(), input));
}

/** Whether this password signs the member in. */
function opens(password: string): Promise<boolean> {
  return logIn(aVisit(), { email: member.email, password }).then(
    () => true,
    () => false,
  );
}

test("a person sees their own account, and no secret of it", async () => {
  const user = toOwnUserJson("https://feedback.example.com", await getOwnUser(member.viewer));

  expect(ownUserJson.strict().parse(user)).toEqual(user);
  expect(user).toMatchObject({
    userId: member.userId,
    name: "Ada",
    email: "ada@example.org",
    isVerified: false,
    avatar: `https://feedback.example.com/avatars/${member.userId}`,
  });
  await db.user.update({ where: { userId: member.userId }, data: { verifiedAt: new Date() } });
  expect(await getOwnUser(member.viewer)).toMatchObject({ isVerified: true });
});

test("a name keeps every script and emoji", async () => {
  for (const name of ["Ада", "李小龍", "Ada 🎉", "🎉".repeat(60), "O'Brien; DROP TABLE"]) {
    expect(await updateOwnUser(member.viewer, aVisit(), { name: ` ${name} ` })).toMatchObject({ name });
  }
});

test.for(["", "   ", "x".repeat(61), "🎉".repeat(61), null, 7, ["Ada"], { not: "" }, "a\0b", "a\nb", "half \ud83c"])("a name cannot be %j", async (name) => {
  expect(await failure({ name })).toMatchObject({ code: "VALIDATION_ERROR", field: "name" });
  expect(await getOwnUser(member.viewer)).toMatchObject({ name: "Ada" });
});

test("nothing but name and password can be changed", async () => {
  const before = await db.user.findFirstOrThrow();

  await updateOwnUser(member.viewer, aVisit(), {
    role: "OWNER",
    isOwner: true,
    email: "eve@example.org",
    username: "admin",
    userId: "x",
    verifiedAt: new Date(),
    isVerified: true,
    blockedAt: null,
    passwordHash: "x",
    createdAt: "2020-01-01",
  });

  expect(await db.user.findFirstOrThrow()).toEqual(before);
});

test("a new password takes the place of the old one", async () => {
  await updateOwnUser(member.viewer, aVisit(), { password: { current: PASSWORD, new: NEW_PASSWORD } });

  expect([await opens(PASSWORD), await opens(NEW_PASSWORD)]).toEqual([false, true]);
});

test(
  "a new password ends every other session at once, and this one not",
  async () => {
    const times = scale(2, 100);
    let [current, refused] = [PASSWORD, 0];
    for (let time = 0; time < times; time += 1) {
      const others = [await aSession(member.userId), await aSession(member.userId)];
      const next = `password number ${time}`;
      await updateOwnUser(member.viewer, aVisit(), { password: { current, new: next } });
      if ((await Promise.all(others.map(({ token }) => findViewer(token)))).every((viewer) => viewer === null)) refused++;
      expect(await findViewer(member.token)).toEqual(member.viewer);
      current = next;
    }
    reportBar({
      bar: "A9",
      measure: "password changed: every other session's next request refused",
      figure: `${refused}/${times}`,
      ok: refused === times,
    });
    expect(refused).toBe(times);
  },
  scale(20_000, 300_000),
);

test("of two new passwords at once one counts: who was signed out by it changes nothing afterwards", async () => {
  const { token } = await aSession(member.userId);
  const intruder = await findViewer(token);

  const changes = await Promise.allSettled([
    updateOwnUser(member.viewer, aVisit(), { password: { current: PASSWORD, new: NEW_PASSWORD } }),
    updateOwnUser(intruder, aVisit(), { name: "Eve", password: { current: PASSWORD, new: "the intruder's password" } }),
  ]);

  expect(changes).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "INVALID_CREDENTIALS", status: 403 } }]);
  expect(await getOwnUser(member.viewer)).toMatchObject({ name: "Ada" });
  expect([await findViewer(member.token), await findViewer(token)]).toEqual([member.viewer, null]);
  expect(await opens(NEW_PASSWORD)).toBe(true);
});

test("a new name ends no session", async () => {
  const { token } = await aSession(member.userId);

  await updateOwnUser(member.viewer, aVisit(), { name: "Ada L." });

  expect(await findViewer(token)).not.toBeNull();
});

test("with a wrong current password nothing changes, the name neither", async () => {
  const { token } = await aSession(member.userId);

  expect(await failure({ name: "Eve", password: { current: "wrong password", new: NEW_PASSWORD } })).toMatchObject({
    code: "INVALID_CREDENTIALS",
    status: 403,
    field: "password.current",
  });

  expect(await getOwnUser(member.viewer)).toMatchObject({ name: "Ada" });
  expect(await findViewer(token)).not.toBeNull();
  expect(await opens(PASSWORD)).toBe(true);
});

test.for([
  [{ current: PASSWORD }, "PASSWORD_MISSING"],
  [{ current: PASSWORD, new: "" }, "PASSWORD_MISSING"],
  [{ current: PASSWORD, new: "1234567" }, "PASSWORD_TOO_SHORT"],
  [{ current: PASSWORD, new: "x".repeat(257) }, "PASSWORD_TOO_LONG"],
  [{ current: PASSWORD, new: "half \ud83c of it" }, "VALIDATION_ERROR"],
  [{ new: NEW_PASSWORD }, "VALIDATION_ERROR"],
  [{ current: { not: "" }, new: NEW_PASSWORD }, "VALIDATION_ERROR"],
  ["new password", "VALIDATION_ERROR"],
  [null, "VALIDATION_ERROR"],
] as const)("the password change %j is %s", async ([password, code]) => {
  expect(await failure({ password })).toMatchObject({ code, status: 400 });
});

test("a common new password is refused where the owner asked for that", async () => {
  const input = { password: { current: "wrong password", new: "password1" } };
  expect(await failure(input)).toMatchObject({ code: "INVALID_CREDENTIALS" });

  await db.siteSettings.updateMany({ data: { blockCommonPasswords: true } });
  expect(await failure(input)).toMatchObject({ code: "PASSWORD_TOO_COMMON" });
});

test("an account is for who is signed in", async () => {
  await expect(getOwnUser(null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(updateOwnUser(null, aVisit(), { name: 7 })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("a person who changed their name is found by the new one alone, also by one that grows when it is folded", async () => {
  const owner = await anOwner();
  const found = async (q: string) => (await listPeople(owner.viewer, { q })).people.map(({ userId }) => userId);

  await updateOwnUser(member.viewer, aVisit(), { name: "Grâce" });
  expect(await found("GRACE")).toEqual([member.userId]);
  expect(await found("grace ada@example.org")).toEqual([member.userId]);

  await updateOwnUser(member.viewer, aVisit(), { name: "ﷺ".repeat(60) });
  expect([await found("grace"), await found("ﷺ")]).toEqual([[], [member.userId]]);
});
