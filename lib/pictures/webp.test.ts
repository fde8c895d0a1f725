import sharp from "sharp";
import { expect, test } from "vitest";
import { readPicture } from "../pictures.ts";

const SHAPE = { maxSide: 100 };

test("a WebP of more frames than anybody watches is refused before they are counted", async () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data]);
  };
  const still = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .webp({ lossless: true })
    .toBuffer();
  const frame = chunk("ANMF", Buffer.concat([Buffer.alloc(16), still.subarray(12)]));
  const moving = (frames: number) => {
    const start = [Buffer.from("WEBP"), chunk("VP8X", Buffer.from([2, ...Buffer.alloc(9)])), chunk("ANIM", Buffer.alloc(6))];
    return chunk("RIFF", Buffer.concat([...start, Buffer.alloc(frame.length * frames, frame)]));
  };

  expect(await readPicture(moving(900), SHAPE)).toMatchObject({ type: "image/webp" });
  const cause = { message: expect.stringContaining("1000 chunks") };
  await expect(readPicture(moving(1001), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause });
});
