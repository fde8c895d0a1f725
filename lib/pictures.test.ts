import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { withoutExtras } from "./pictures/png.ts";
import { readPicture } from "./pictures.ts";

const SHAPE = { maxSide: 128 };

function aPicture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#0f6b7c" } });
}

/** One chunk of a PNG: length, type, data, checksum. */
function aChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG whose header claims this size; a decoder that believed it would fill the memory. */
function aPngOfSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, aChunk("IHDR", header), aChunk("IDAT", deflateSync(Buffer.alloc(1000))), aChunk("IEND")]);
}

/** The PNG with these chunks between its header, which ends at byte 33, and the rest. */
function withChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** A color profile whose one way to say colors is a list of so many steps, which all are the same matrix in one place (ICC.1:2022). */
function aProfileOfSteps(count: number): Buffer {
  const matrix = Buffer.alloc(60);
  matrix.write("matf");
  matrix.set([0, 3, 0, 3], 8);
  for (const cell of [0, 4, 8]) matrix.writeFloatBE(0.9, 12 + 4 * cell);
  const steps = Buffer.alloc(16 + 8 * count);
  steps.write("mpet");
  steps.set([0, 3, 0, 3], 8);
  steps.writeUInt32BE(count, 12);
  for (let at = 16; at < steps.length; at += 8) {
    steps.writeUInt32BE(steps.length, at);
    steps.writeUInt32BE(matrix.length, at + 4);
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(0x04_30_00_00, 8);
  head.write("mntrRGB Lab ", 12);
  head.write("acsp", 36);
  // The white of the space that colors are told in: D50.
  for (const [at, part] of [0.9642, 1, 0.8249].entries()) head.writeInt32BE(Math.round(part * 65536), 68 + 4 * at);
  const size = steps.length + matrix.length;
  const tags = Buffer.alloc(28);
  tags.writeUInt32BE(2);
  for (const [at, tag] of ["D2B0", "A2B0"].entries()) {
    tags.write(tag, 4 + 12 * at);
    tags.writeUInt32BE(head.length + tags.length, 8 + 12 * at);
    tags.writeUInt32BE(size, 12 + 12 * at);
  }
  const profile = Buffer.concat([head, tags, steps, matrix]);
  profile.writeUInt32BE(profile.length);
  return profile;
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
    [65_536, 12],
    [12, 65_536],
  ])("a strip of %i by %i pixels, which no JPEG could be", async (width, height) => {
    const cause = { message: expect.stringContaining("65535") };

    await expect(readPicture(await aPicture(width, height).png().toBuffer(), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause });
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

describe("what a PNG holds beside its picture", () => {
  const aText = (text: Buffer) => aChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(text)]));

  test("I10: texts that would fill gigabytes once they are unpacked are not", async () => {
    const text = aText(Buffer.alloc(7_900_000, "a"));
    const file = withChunks(await aPicture(10, 10).png().toBuffer(), ...Array.from({ length: 100 }, () => text));
    const before = process.resourceUsage().maxRSS;

    expect(await readPicture(file, SHAPE)).toMatchObject({ width: 10, height: 10 });
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(300);
  });

  test("makes no difference where it is not drawn", async () => {
    const plain = await aPicture(40, 20).png().toBuffer();
    const extras = [
      aText(Buffer.from("canary")),
      aChunk("tEXt", Buffer.from("Title\0canary")),
      aChunk("abCd"),
      aChunk("gAMA", Buffer.from([0, 1, 0x86, 0xa0])),
    ];

    expect(await readPicture(withChunks(plain, ...extras), SHAPE)).toEqual(await readPicture(plain, SHAPE));
  });

  test("still says which side is up", async () => {
    const lying = await aPicture(40, 20).withMetadata({ orientation: 6 }).png().toBuffer();

    expect(lying.includes("eXIf")).toBe(true);
    expect(await readPicture(lying, SHAPE)).toMatchObject({ width: 20, height: 40 });
  });

  test("is taken once of each kind, up to where the picture ends", async () => {
    const plain = await aPicture(40, 20).png().toBuffer();
    const exif = aChunk("eXIf", Buffer.from("MM\0*\0\0\0\x08\0\0\0\0\0\0"));
    const kept = withoutExtras(plain);

    expect(withoutExtras(withChunks(kept, exif, exif, aChunk("abCd"), exif))).toEqual(withChunks(kept, exif));
    expect(withoutExtras(Buffer.concat([kept, exif]))).toEqual(kept);
  });

  test("still says what its colors mean", async () => {
    const wide = await aPicture(8, 8).withIccProfile("p3").png().toBuffer();
    const colorOf = async (file: Uint8Array) => [...(await sharp(file).raw().toBuffer()).subarray(0, 3)];
    const unread = await colorOf(await sharp(wide, { ignoreIcc: true }).png().toBuffer());

    const [red] = await colorOf((await readPicture(wide, SHAPE)).bytes);

    expect(wide.includes("iCCP")).toBe(true);
    expect(Math.abs(red! - 0x0f)).toBeLessThan(5);
    expect(Math.abs(red! - unread[0]!)).toBeGreaterThan(10);
  });

  test.each([
    ["runs past the end of the file", Buffer.from("\x00\xff\xff\xffabCd", "latin1")],
    ["claims gigabytes", Buffer.from("\xff\xff\xff\xffabCd", "latin1")],
    ["has no type", aChunk("a1 b")],
    ["must be known, and is not", aChunk("ABCD")],
  ])("leads to no picture where a chunk %s", async (_what, chunk) => {
    const plain = await aPicture(40, 20).png().toBuffer();

    await expect(readPicture(withChunks(plain, chunk), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE" });
  });

  test("leads to no picture where it ends within a chunk behind it", async () => {
    const file = Buffer.concat([(await aPicture(40, 20).png().toBuffer()).subarray(0, -12), aText(Buffer.from("canary")).subarray(0, -5)]);

    await expect(readPicture(file, SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause: { message: expect.stringContaining("past its end") } });
  });
});

test("a JPEG of more segments than any program writes is refused before they are held", async () => {
  const jpeg = await aPicture(10, 10).jpeg().toBuffer();
  const withSegments = (count: number) => Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(4 * count, Buffer.from([0xff, 0xe1, 0, 2])), jpeg.subarray(2)]);

  expect(await readPicture(withSegments(900), SHAPE)).toMatchObject({ width: 10, height: 10 });
  const cause = { message: expect.stringContaining("1000 segments") };
  await expect(readPicture(withSegments(1001), SHAPE)).rejects.toMatchObject({ code: "IMAGE_UNREADABLE", cause });
});

test("a color profile of any number of steps is not followed, and the picture is drawn without it", async () => {
  const plain = await aPicture(10, 10).png().toBuffer();
  const profile = Buffer.concat([Buffer.from("a\0\0"), deflateSync(aProfileOfSteps(200))]);
  const profiled = withChunks(plain, aChunk("iCCP", profile));
  expect((await sharp(profiled).metadata()).icc).toBeDefined();
  expect((await sharp(profiled).raw().toBuffer()).equals(await sharp(plain).raw().toBuffer())).toBe(false);

  expect((await readPicture(profiled, SHAPE)).bytes).toEqual((await readPicture(plain, SHAPE)).bytes);
});

test("of more pictures than twenty at once the others are told to come back, and the twenty are read", async () => {
  const file = await aPicture(20, 10).png().toBuffer();

  const answers = await Promise.allSettled(Array.from({ length: 22 }, () => readPicture(file, SHAPE)));

  expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array(20).fill("fulfilled"));
  for (const refused of answers.slice(20)) expect(refused).toMatchObject({ reason: { status: 503, retryAfterSeconds: expect.any(Number) } });
  expect(await readPicture(file, SHAPE)).toMatchObject({ width: 20, height: 10 });
});

test("what is long, but not a strip, is cut to a square", async () => {
  const file = await aPicture(20, 1000).png().toBuffer();

  expect(await readPicture(file, { maxSide: 192, isSquare: true })).toMatchObject({ width: 192, height: 192 });
});

test("every format on offer is read", async () => {
  for (const format of ["png", "jpeg", "gif", "webp"] as const)
    expect(await readPicture(await aPicture(60, 30).toFormat(format).toBuffer(), SHAPE)).toMatchObject({ width: 60, height: 30 });
});
