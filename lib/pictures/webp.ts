/** What every frame of a moving WebP begins with (RFC 9649, section 2.7.1.1). */
const FRAME = "ANMF";
/** To count the frames libwebp goes over all of them for each; a file has room for 200,000, which took minutes, out of reach of sharp's limit of time. */
const MAX_FRAMES = 1000;

/**
 * Counts the frames of a WebP wherever one begins: libwebp goes on behind what it read of a frame, and not behind where the frame says that it ends.
 * @throws Error if there are too many
 */
export function refuseManyFrames(file: Buffer): void {
  let frames = 0;
  for (let at = file.indexOf(FRAME); at >= 0; at = file.indexOf(FRAME, at + FRAME.length))
    if (++frames > MAX_FRAMES) throw new Error(`over ${MAX_FRAMES} frames`);
}
