import sharp from "sharp";
import { expect, test } from "vitest";
import { readPicture } from "../pictures.ts";

const SHAPE = { maxSide: 100 };
const LENGTH_AT = 4;

function aChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
  head.writeUInt32LE(data.length, LENGTH_AT);
  return Buffer.concat([head, data]);
}

/** A WebP of so many frames of one pixel; where `areNested`, each says that it goes on to the end of the file. */
async function moving(count: number, { areNested = false } = {}): Promise<Buffer> {
  const still = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .webp({ lossless: true })
    .toBuffer();
  const frame = aChunk("ANMF", Buffer.concat([Buffer.alloc(16), still.subarray(12)]));
  const frames = Buffer.alloc(frame.length * count, frame);
  for (let at = 0; areNested && at < frames.length; at += frame.length) frames.writeUInt32LE(frames.length - at - 8, at + LENGTH_AT);
  return aChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), aChunk("VP8X", Buffer.from([2, ...Buffer.alloc(9)])), aChunk("ANIM", Buffer.alloc(6)), frames]));
}

test.for([false, true])(
  "a WebP of more frames than anybody watches is refused before libwebp counts them, also where each is said to hold the others: %s",
  async (areNested) => {
    const most = await moving(1000, { areNested });
    expect((await sharp(most).metadata()).pages).toBe(1000);

    expect(await readPicture(most, SHAPE)).toMatchObject({ type: "image/webp" });
    const cause = { message: expect.stringContaining("1000 frames") };
    await expect(readPicture(await moving(1001, { areNested }), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause });
  },
);
