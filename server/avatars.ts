import { createHash } from "node:crypto";
import type { Viewer } from "#lib/auth";
import { colorOfId } from "#lib/colors";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { initials } from "#lib/initials";
import { escapeXml } from "#lib/xml";
import { getImage, readUpload, replaceImage, type StoredImage } from "./images.ts";
import { countUpload } from "./limits.ts";
import { requireViewer } from "./permissions.ts";

/** As large as the largest place for it, on a screen of three pixels to one. */
const AVATAR_SIDE = 192;

/** A person's picture. `version` names its state, so that who has it already needs no bytes. */
export type Avatar = { version: string; read: () => Promise<{ bytes: StoredImage["bytes"] | string; type: string }> };

/**
 * A person's picture: the one they gave, else one that is drawn here, so that nobody else hears who looks.
 * @throws AppError NOT_FOUND
 */
export async function getAvatar(userId: string): Promise<Avatar> {
  const user = isUuid(userId) ? await db.user.findUnique({ where: { userId }, select: { name: true, avatarId: true } }) : null;
  if (!user) throw new AppError("NOT_FOUND", "There is no such picture.");
  const { name, avatarId } = user;
  if (avatarId) return { version: avatarId, read: () => getImage(avatarId) };
  const bytes = drawAvatar(userId, name);
  return { version: createHash("sha256").update(bytes).digest("base64url").slice(0, 27), read: async () => ({ bytes, type: "image/svg+xml" }) };
}

/**
 * Gives the viewer the picture in `file`, cut to a square; null takes theirs away, and the drawn one is back.
 * @throws AppError UNAUTHENTICATED or RATE_LIMITED; what `readUpload` throws, at the field `picture`
 */
export async function setAvatar(viewer: Viewer, file: Uint8Array | null): Promise<void> {
  requireViewer(viewer);
  // Where none was chosen, a form sends one of no bytes.
  if (file?.byteLength) await countUpload(viewer.userId);
  const picture = file && (await readUpload(file, { maxSide: AVATAR_SIDE, isSquare: true }, "picture"));
  const { userId } = viewer;
  await db.$transaction(async (tx) => {
    // One after another: of two at once neither would see, and delete, the other's picture.
    const [user] = await tx.$queryRaw<{ avatarId: string | null }[]>`SELECT "avatarId" FROM "User" WHERE "userId" = ${userId}::uuid FOR NO KEY UPDATE`;
    await tx.user.update({ where: { userId }, data: { avatarId: await replaceImage(tx, user?.avatarId ?? null, picture) } });
  });
}

/** The first letters of the name on a color of the person's own, as SVG. */
function drawAvatar(userId: string, name: string): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">',
    `<rect width="96" height="96" fill="#${colorOfId(userId)}"/>`,
    '<text x="48" y="48" dy=".35em" text-anchor="middle" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600">',
    `${escapeXml(initials(name))}</text></svg>`,
  ].join("");
}
