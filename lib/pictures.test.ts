import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readPicture } from "./pictures.ts";

const SHAPE = { maxSide: 128 };

function aPicture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#0f6b7c" } });
}

/** A PNG whose header claims this size; a decoder that believed it would fill the memory. */
function aPngOfSize(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.alloc(1000))), chunk("IEND", Buffer.alloc(0))]);
}

test("a large picture becomes a small WebP of the same proportions", async () => {
  const picture = await readPicture(await aPicture(1200, 600).png().toBuffer(), SHAPE);

  expect(picture).toMatchObject({ type: "image/webp", width: 128, height: 64 });
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: "webp", width: 128, height: 64 });
});

test("a small one is not blown up, but a square is always one", async () => {
  const small = await aPicture(40, 20).jpeg().toBuffer();

  expect(await readPicture(small, SHAPE)).toMatchObject({ width: 40, height: 20 });
  expect(await readPicture(small, { maxSide: 128, isSquare: true })).toMatchObject({ width: 128, height: 128 });
});

test("where a picture was taken is not stored, and it stands upright", async () => {
  const taken = await aPicture(100, 50)
    .withExif({ IFD0: { Copyright: "canary" }, IFD3: { GPSLatitude: "52/1 31/1 0/1", GPSLatitudeRef: "N" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(taken).metadata()).exif).toBeDefined();

  const picture = await readPicture(taken, SHAPE);

  expect(picture).toMatchObject({ width: 50, height: 100 });
  expect((await sharp(picture.bytes).metadata()).exif).toBeUndefined();
});

describe("what is refused", () => {
  test.each([
    ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["PDF", "%PDF-1.7\n"],
    ["AVIF", "\0\0\0\x1cftypavif\0\0\0\0"],
    ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0"],
    ["TIFF", "II*\0"],
    ["SVG that claims to be a WebP", "<!--    WEBP--><svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"],
    ["TIFF that claims to be a WebP", "II*\0\b\0\0\0WEBP"],
    ["nothing", ""],
  ])("%s is no picture here", async (_name, file) => {
    await expect(readPicture(Buffer.from(file, "latin1"), SHAPE)).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", status: 415 });
  });

  test.each([
    [50_000, 50_000],
    [5001, 5000],
  ])("I10: a PNG that claims %i by %i pixels, before any of them is read", async (width, height) => {
    const cause = { message: expect.stringContaining("pixel limit") };

    await expect(readPicture(aPngOfSize(width, height), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", status: 422, cause });
  });

  test.each([
    [1, 20_000],
    [51 * 30, 30],
  ])("a strip of %i by %i pixels where a square is wanted", async (width, height) => {
    const file = await aPicture(width, height).png().toBuffer();

    const refused = { code: "IMAGE_UNREADABLE", message: expect.stringContaining("50 times") };
    await expect(readPicture(file, { maxSide: 192, isSquare: true })).rejects.toMatchObject(refused);
    expect(await readPicture(file, SHAPE)).toMatchObject({ type: "image/webp" });
  });

  test("a file that only begins like a picture", async () => {
    const half = (await aPicture(300, 300).png().toBuffer()).subarray(0, 60);

    await expect(readPicture(half, SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE" });
  });
});

test("a file that begins like one format and is another is not read", async () => {
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>");

  for (const start of ["\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a", "RIFF\x10\0\0\0WEBP"])
    await expect(readPicture(Buffer.concat([Buffer.from(start, "latin1"), svg]), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE" });
  await expect(sharp(svg).png().toBuffer()).rejects.toThrow();
});

describe("a JPEG that comes in scans", () => {
  const progressive = () => aPicture(64, 64).jpeg({ progressive: true }).toBuffer();
  /** The same with so many scans more, each a copy of the last. */
  const withScans = (jpeg: Buffer, more: number) => {
    const [start, end] = [jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), jpeg.lastIndexOf(Buffer.from([0xff, 0xd9]))];
    return Buffer.concat([jpeg.subarray(0, end), ...Array.from({ length: more }, () => jpeg.subarray(start, end)), jpeg.subarray(end)]);
  };

  test("is read, also with what a camera hangs on behind its end", async () => {
    const film = Buffer.alloc(2000, Buffer.from([0x00, 0x02, 0xff, 0xda]));

    for (const file of [await progressive(), Buffer.concat([await progressive(), film])])
      expect(await readPicture(file, SHAPE)).toMatchObject({ width: 64, height: 64 });
  });

  test.each([
    ["one after another", []],
    ["behind what looks like the head of a segment and is none", [0xff, 0x02, 0xff, 0xff]],
    ["behind bytes that fill", [0xff, 0xff, 0xff]],
    ["behind the mark of a part", [0xff, 0xd0]],
  ])("is refused where they are more than an encoder makes, %s, before any of them is read", async (_place, before) => {
    const jpeg = await progressive();
    const start = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
    const file = withScans(Buffer.concat([jpeg.subarray(0, start), Buffer.from(before), jpeg.subarray(start)]), 30);
    const cause = { message: expect.stringContaining("30 scans") };

    await expect(readPicture(file, SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause });
  });
});

test("what is long, but not a strip, is cut to a square", async () => {
  const file = await aPicture(20, 1000).png().toBuffer();

  expect(await readPicture(file, { maxSide: 192, isSquare: true })).toMatchObject({ width: 192, height: 192 });
});

test("every format on offer is read", async () => {
  for (const format of ["png", "jpeg", "gif", "webp"] as const)
    expect(await readPicture(await aPicture(60, 30).toFormat(format).toBuffer(), SHAPE)).toMatchObject({ width: 60, height: 30 });
});
