import { expect, test } from "vitest";
import type { Viewer } from "#lib/auth";
import { authorize, can, type Permission, requireViewer } from "./permissions.ts";

/** Of each whose it is: the compiler asks for one that is new. */
const PERMISSIONS: Record<Permission, "owner"> = {
  "board:create": "owner",
  "board:update": "owner",
  "board:delete": "owner",
  "board:read_private": "owner",
  "settings:update": "owner",
  "mail:read": "owner",
  "mail:retry": "owner",
  "user:read": "owner",
  "user:block": "owner",
};

const member: Viewer = { userId: "u", sessionId: "s", role: "MEMBER", isVerified: true };
const owner: Viewer = { ...member, role: "OWNER" };

test.for(Object.keys(PERMISSIONS) as Permission[])("%s is an owner's: a member is forbidden it, and who is signed out has to sign in first", (permission) => {
  expect([can(owner, permission), can(member, permission), can(null, permission)]).toEqual([true, false, false]);

  expect(() => authorize(owner, permission)).not.toThrow();
  expect(() => authorize(member, permission)).toThrow(expect.objectContaining({ code: "FORBIDDEN", status: 403 }));
  expect(() => authorize(null, permission)).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED", status: 401 }));
});

test("what needs somebody needs no more than that", () => {
  expect(() => requireViewer(member)).not.toThrow();
  expect(() => requireViewer(null)).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED" }));
});
