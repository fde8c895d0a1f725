/** Length of what says that a file is a WebP, and of what a chunk has before its data: type and length. */
const SIGNATURE_BYTES = 12;
const HEAD_BYTES = 8;
/** To count the frames of a moving WebP libwebp goes over all of them for each, at some milliseconds for a thousand; a file has room for 200,000, which took minutes. */
const MAX_CHUNKS = 1000;

/**
 * Goes over the chunks of a WebP (RFC 9649, section 2.3), each of an even length.
 * @throws Error if there are too many
 */
export function refuseManyChunks(file: Buffer): void {
  let chunks = 0;
  for (let at = SIGNATURE_BYTES; at + HEAD_BYTES <= file.length; chunks++) {
    if (chunks >= MAX_CHUNKS) throw new Error(`over ${MAX_CHUNKS} chunks`);
    const length = file.readUInt32LE(at + 4);
    at += HEAD_BYTES + length + (length % 2);
  }
}
