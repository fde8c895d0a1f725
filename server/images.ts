import { db, type Tx } from "#lib/db";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";
import { type Picture, type PictureShape, readPicture } from "#lib/pictures";
import type { Prisma } from "#prisma/generated/client";

/** A form's largest upload, in bytes: 10 MB, which is what the texts promise. */
export const MAX_UPLOAD_BYTES = 10_000_000;

const imageFields = { imageId: true, bytes: true, type: true } satisfies Prisma.ImageSelect;

/** What leaves the server of a stored picture. Its bytes never change: another picture is another id. */
export type StoredImage = Prisma.ImageGetPayload<{ select: typeof imageFields }>;

/**
 * The picture with this id. Everybody may see it: what somebody may not see is not linked.
 * @throws AppError NOT_FOUND
 */
export async function getImage(imageId: string): Promise<StoredImage> {
  const image = isUuid(imageId) ? await db.image.findUnique({ where: { imageId }, select: imageFields }) : null;
  if (!image) throw new AppError("NOT_FOUND", "There is no such picture.");
  return image;
}

/**
 * The picture at `path`, which is how pages link it: `/images/` and its id.
 * @throws AppError NOT_FOUND
 */
export async function getImageAt(path: string): Promise<StoredImage> {
  return getImage(path.split("/").at(-1) ?? "");
}

/**
 * An uploaded picture, made fit for storing. What is wrong with it is said at `field`.
 * @throws AppError PAYLOAD_TOO_LARGE over 10 MB; UNSUPPORTED_MEDIA_TYPE or IMAGE_UNREADABLE as `readPicture`
 */
export async function readUpload(file: Uint8Array, shape: PictureShape, field: string): Promise<Picture> {
  if (file.byteLength > MAX_UPLOAD_BYTES) throw new AppError("PAYLOAD_TOO_LARGE", "A picture may have at most 10 MB. Choose a smaller one.", { field });
  try {
    return await readPicture(file, shape);
  } catch (error) {
    // That too many wait for it is nothing wrong with the picture.
    if (error instanceof AppError && error.status < 500) throw new AppError(error.code, error.message, { field, cause: error });
    throw error;
  }
}

/** Stores a picture in the transaction of what shows it, in place of the one shown so far. Returns its id. */
export async function replaceImage(tx: Tx, formerId: string | null, picture: Picture | null): Promise<string | null> {
  if (formerId) await tx.image.deleteMany({ where: { imageId: formerId } });
  return picture && (await tx.image.create({ data: picture, select: { imageId: true } })).imageId;
}
