import { brotliDecompressSync } from "node:zlib";

// The tables that WOFF2 names by number (https://www.w3.org/TR/WOFF2/#table_dir_format): only these have a place in what follows.
const CMAP = 0;
const GLYF = 10;
const LOCA = 11;
const OTHER = 63;
const HEADER_BYTES = 48;

/** The code points that a font file in the format WOFF2 has a picture for. */
export function codePointsOf(file: Buffer): Set<number> {
  const tableCount = file.readUInt16BE(12);
  let at = HEADER_BYTES;
  let offset = 0;
  let cmapAt = -1;
  for (let index = 0; index < tableCount; index++) {
    const flags = file.readUInt8(at++);
    const tag = flags & 0x3f;
    if (tag === OTHER) at += 4;
    const length = readLength(file, at);
    // Of these two, and of no other, version 0 is the one that is stored in another form and with a length of its own.
    const version = flags >> 6;
    const isTransformed = tag === GLYF || tag === LOCA ? version === 0 : version !== 0;
    const stored = isTransformed ? readLength(file, length.next) : length;
    if (tag === CMAP) cmapAt = offset;
    at = stored.next;
    offset += stored.value;
  }
  return readCmap(brotliDecompressSync(file.subarray(at)).subarray(cmapAt));
}

/** A number in seven bits a byte, the highest first. */
function readLength(file: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  let next = start;
  for (;;) {
    const byte = file.readUInt8(next++);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next };
  }
}

function readCmap(cmap: Buffer): Set<number> {
  const points = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8));
    const format = table.readUInt16BE(0);
    if (format === 4) readSegments(table, points);
    if (format === 12) readGroups(table, points);
  }
  return points;
}

/** Format 4, for the basic plane: runs of characters, whose last is the end mark U+FFFF. */
function readSegments(table: Buffer, points: Set<number>): void {
  const twice = table.readUInt16BE(6);
  for (let at = 0; at < twice; at += 2) {
    const [end, start] = [table.readUInt16BE(14 + at), table.readUInt16BE(16 + twice + at)];
    for (let point = start; point <= end && point < 0xffff; point++) if (hasGlyph(table, at, point - start, point)) points.add(point);
  }
}

function hasGlyph(table: Buffer, at: number, index: number, point: number): boolean {
  const twice = table.readUInt16BE(6);
  const delta = table.readUInt16BE(16 + twice * 2 + at);
  const rangeAt = 16 + twice * 3 + at;
  const range = table.readUInt16BE(rangeAt);
  return range === 0 ? ((point + delta) & 0xffff) !== 0 : table.readUInt16BE(rangeAt + range + index * 2) !== 0;
}

/** Format 12, for all planes. */
function readGroups(table: Buffer, points: Set<number>): void {
  for (let index = 0; index < table.readUInt32BE(12); index++) {
    const [start, end] = [table.readUInt32BE(16 + index * 12), table.readUInt32BE(20 + index * 12)];
    for (let point = start; point <= end; point++) points.add(point);
  }
}
