const SIGNATURE_BYTES = 8;
/** What a chunk has around its data: length and type before it, a checksum behind it. */
const FRAME_BYTES = 12;
/** The chunks that libvips draws by, beside the critical ones: what is transparent, what the colors mean, which side is up. Each may come once. */
const DRAWN_BY = new Set(["tRNS", "iCCP", "eXIf"]);

/**
 * A PNG without all that drawing it does not need, by the order of its chunks (PNG, third edition, W3C, section 5). libpng unpacks every compressed text to up to 8 MB, for
 * hundreds of them, before a limit of time is asked: what is not in the file costs nothing. Critical chunks stay, known or not, for libpng refuses a picture for one it does not know.
 * @throws Error if a chunk has no type, or runs past the end of the file
 */
export function withoutExtras(file: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(file.length);
  let length = file.copy(kept, 0, 0, SIGNATURE_BYTES);
  const found = new Set<string>();
  for (let at = SIGNATURE_BYTES; at < file.length && !found.has("IEND"); ) {
    const { type, end } = readChunk(file, at);
    if (isCritical(type) || (DRAWN_BY.has(type) && !found.has(type))) {
      length += file.copy(kept, length, at, end);
      found.add(type);
    }
    at = end;
  }
  return kept.subarray(0, length);
}

function readChunk(file: Buffer, at: number): { type: string; end: number } {
  const type = file.toString("latin1", at + 4, at + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) throw new Error("a chunk of this PNG has no type");
  const end = at + FRAME_BYTES + file.readUInt32BE(at);
  if (end > file.length) throw new Error("a chunk of this PNG runs past its end");
  return { type, end };
}

/** Whether who does not know such a chunk must not draw the picture: its type begins with a capital letter (section 5.4). */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}
