import type { Viewer } from "#lib/auth";
import { AppError } from "#lib/errors";
import type { Role } from "#prisma/generated/client";

const OWNER_PERMISSIONS = [
  "board:create",
  "board:update",
  "board:delete",
  "board:read_private",
  "settings:update",
  "mail:read",
  "mail:retry",
  "user:read",
  "user:block",
] as const;

/** What somebody may do. Reading what is public and managing one's own account need none. */
export type Permission = (typeof OWNER_PERMISSIONS)[number];

const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  OWNER: OWNER_PERMISSIONS,
  MEMBER: [],
};

/** Whether `viewer` may do it. */
export function can(viewer: Viewer, permission: Permission): boolean {
  return viewer !== null && ROLE_PERMISSIONS[viewer.role].includes(permission);
}

/**
 * Goes on only if `viewer` may do it.
 * @throws AppError UNAUTHENTICATED for who is not signed in, FORBIDDEN for who is, without `permission`
 */
export function authorize(viewer: Viewer, permission: Permission): asserts viewer is NonNullable<Viewer> {
  requireViewer(viewer);
  if (!can(viewer, permission)) throw new AppError("FORBIDDEN", "Your account may not do this. Ask an owner of this site.");
}

/**
 * Goes on only for somebody who is signed in.
 * @throws AppError UNAUTHENTICATED
 */
export function requireViewer(viewer: Viewer): asserts viewer is NonNullable<Viewer> {
  if (!viewer) throw new AppError("UNAUTHENTICATED", "Sign in first, or send Authorization: Bearer <authToken>.");
}
