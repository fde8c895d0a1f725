import sharp from "sharp";
import { AppError, temporarilyUnavailable } from "./errors.ts";
import { withoutExtras } from "./pictures/png.ts";
import { refuseManyFrames } from "./pictures/webp.ts";

/** A picture made fit for storing: small, upright, still, and without what a camera wrote into it. */
export type Picture = { bytes: Uint8Array<ArrayBuffer>; type: string; width: number; height: number };

/** What an uploaded picture is made into. */
export type PictureShape = {
  /** The longest side, in pixels; smaller pictures stay as they are. */
  maxSide: number;
  /** Cut to a square around what draws the eye. */
  isSquare?: boolean;
};

/** How the files begin that browsers draw and that hold no program: SVG, HTML, PDF and the formats of one vendor are refused unread. */
const SIGNATURES: { maxPixels: number; isAt: (file: Buffer) => boolean }[] = [
  // The others are decoded whole, and a pixel takes up to eight bytes then, as it does of a JPEG in scans; one in a single scan is made small while it is read.
  { maxPixels: 50_000_000, isAt: isJpeg },
  { maxPixels: 25_000_000, isAt: isPng },
  { maxPixels: 25_000_000, isAt: (file) => /^GIF8[79]a/.test(file.toString("latin1", 0, 6)) },
  { maxPixels: 25_000_000, isAt: isWebp },
];
/** How many times as long one side of what is cut to a square may be as the other: a strip of one pixel by thousands is blown up to the square's width first, which takes seconds and gigabytes. */
const MAX_TIMES_AS_LONG = 50;
/**
 * Each scan of a JPEG goes over all of the picture, and may take only a few bytes; sharp's own limit of time does not see them. Encoders make about ten, and at most eighteen (of
 * four colors, libjpeg's `jpeg_simple_progression`).
 */
const MAX_SCANS = 30;
/** libvips has each application's segment of a JPEG held, in some 300 bytes even where it is empty, and a file has room for millions. One of 10 MB that fills them has 160. */
const MAX_SEGMENTS = 1000;
/** The longest that a side of a JPEG or GIF can be (ITU-T T.81, B.2.2). As PNG, two million by twelve pixels took a gigabyte, and one by 25 million all of the ten seconds. */
const LONGEST_SIDE = 65_535;
/** What a color profile has to hold to say colors in any number of steps (ICC.1:2022, multiProcessElementsType): all are taken thousands of times, and sharp's limit of time does not see them. */
const UNLIMITED_STEPS = "mpet";
const DECODE_WITHIN_S = 10;
const MAX_WAITING = 20;

// Whatever a file calls itself, no other reader is asked: the one for SVG draws for as long as it is told to.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadNsgifBuffer", "VipsForeignLoadWebpBuffer"] });
sharp.concurrency(1);
sharp.cache(false);

// Of a JPEG's markers.
const FIRST_WITH_LENGTH = 0xc0;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads an uploaded picture and writes it anew as WebP, so that nothing of the file itself is stored.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE if it is no PNG, JPEG, GIF or WebP; IMAGE_UNREADABLE if it is broken, over 25 million pixels (a JPEG: 50 million, 30 scans or 1,000 segments; a WebP: 1,000 frames), over 65,535 pixels on a side, a strip where a square is wanted, or takes over 10 s; 503 where too many wait
 */
export async function readPicture(file: Uint8Array, shape: PictureShape): Promise<Picture> {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 16));
  const signature = SIGNATURES.find(({ isAt }) => isAt(start));
  if (!signature) throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Choose a picture in the format PNG, JPEG, WebP or GIF.");
  try {
    return await inTurn(() => decode(file, shape, signature.maxPixels));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("IMAGE_UNREADABLE", "This picture cannot be read: it is damaged, or has too many pixels. Choose another one.", { cause });
  }
}

function isJpeg(file: Buffer): boolean {
  return file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
}

function isPng(file: Buffer): boolean {
  return file.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
}

function isWebp(file: Buffer): boolean {
  return /^RIFF.{4}WEBP/s.test(file.toString("latin1", 0, 12));
}

async function decode(file: Uint8Array, { maxSide, isSquare = false }: PictureShape, maxPixels: number): Promise<Picture> {
  const drawn = boundCost(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const limits = { limitInputPixels: maxPixels, failOn: "error", pages: 1 } as const;
  const { width, height, icc } = await sharp(drawn, limits).metadata();
  if (Math.max(width, height) > LONGEST_SIDE) throw new Error(`a side of over ${LONGEST_SIDE} pixels`);
  if (isSquare && Math.max(width, height) > MAX_TIMES_AS_LONG * Math.min(width, height))
    throw new AppError("IMAGE_UNREADABLE", `One side of this picture is over ${MAX_TIMES_AS_LONG} times as long as the other: cut it, or choose another one.`);
  const fit = isSquare ? ({ fit: "cover", position: "attention" } as const) : ({ fit: "inside" } as const);
  const picture = sharp(drawn, { ...limits, ignoreIcc: icc?.includes(UNLIMITED_STEPS) });
  const upright = picture.timeout({ seconds: DECODE_WITHIN_S }).rotate();
  const small = upright.resize({ width: maxSide, height: maxSide, withoutEnlargement: !isSquare, ...fit });
  const { data, info } = await small.webp({ quality: 85 }).toBuffer({ resolveWithObject: true });
  return { bytes: new Uint8Array(data), type: "image/webp", width: info.width, height: info.height };
}

/** The file as it is given to sharp: what costs much before sharp's own limits count is taken out, or refused. */
function boundCost(file: Buffer): Buffer {
  if (isPng(file)) return withoutExtras(file);
  if (isJpeg(file)) refuseManySegments(file);
  if (isWebp(file)) refuseManyFrames(file);
  return file;
}

/**
 * Goes over the segments of a JPEG, up to where it ends (ITU-T T.81, annex B).
 * @throws Error if there are too many, or too many scans
 */
function refuseManySegments(file: Buffer): void {
  let scans = 0;
  let segments = 0;
  for (let at = file.indexOf(0xff, 2); at >= 0 && at + 3 < file.length; at = file.indexOf(0xff, at)) {
    const marker = file.readUInt8(at + 1);
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_SCAN && ++scans > MAX_SCANS) throw new Error(`over ${MAX_SCANS} scans`);
    // The byte before a marker may be repeated. What is part of a scan's data, the marks between its parts, and what means nothing, which libjpeg passes over there, have no length.
    if (marker === 0xff) at += 1;
    else if (marker < FIRST_WITH_LENGTH || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      at += 2 + file.readUInt16BE(at + 2);
      if (++segments > MAX_SEGMENTS) throw new Error(`over ${MAX_SEGMENTS} segments`);
    }
  }
}

/** One after another: a picture that is being decoded can fill hundreds of megabytes. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_WAITING) throw temporarilyUnavailable(new Error("too many pictures wait to be decoded"));
  waiting++;
  const turn = last.then(work, work).finally(() => waiting--);
  last = turn.catch(() => undefined);
  return turn;
}
