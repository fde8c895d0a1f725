import sharp from "sharp";
import { expect, test } from "vitest";
import { readPicture } from "../pictures.ts";

const SMALL = { width: 10, height: 10, channels: 3, background: "#0f6b7c" } as const;

/** A GIF of which both the screen and the one frame on it claim this size. */
async function aGifOfSize(width: number, height: number): Promise<Buffer> {
  const gif = await sharp({ create: SMALL }).gif().toBuffer();
  const descriptor = Buffer.from([0x2c, 0, 0, 0, 0]);
  for (const at of [6, gif.indexOf(descriptor) + descriptor.length]) {
    gif.writeUInt16LE(width, at);
    gif.writeUInt16LE(height, at + 2);
  }
  return gif;
}

/** A WebP whose frame claims this size. */
async function aWebpOfSize(width: number, height: number): Promise<Buffer> {
  const webp = await sharp({ create: SMALL }).webp().toBuffer();
  webp.writeUInt16LE(width, 26);
  webp.writeUInt16LE(height, 28);
  return webp;
}

/** A JPEG whose frame claims this size. */
async function aJpegOfSize(width: number, height: number): Promise<Buffer> {
  const jpeg = await sharp({ create: SMALL }).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

// Of a PNG: lib/pictures.test.ts.
test.for([
  ["GIF", 25, aGifOfSize, 5001],
  ["WebP", 25, aWebpOfSize, 5001],
  ["JPEG", 50, aJpegOfSize, 10_001],
] as const)("I10: a %s that claims more than %i million pixels is refused before any of them is read", async ([, , make, width]) => {
  const cause = { message: expect.stringContaining("pixel limit") };

  await expect(readPicture(await make(width, 5000), { maxSide: 128 })).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", status: 422, cause });
});
