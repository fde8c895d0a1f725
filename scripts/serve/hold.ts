import { API_BODY_BYTES } from "#lib/visit";

/** How much is held of all bodies together. Who sends them is asked only when they are whole, and may open as many connections as there are. */
const MAX_HELD_BYTES = 64 * API_BODY_BYTES;
const FIRST_BYTES = 1024;

/** A body on its way in. */
export type Hold = {
  /** Takes in a piece; false where too much is held already, of this body and of others. */
  take: (chunk: Buffer) => boolean;
  /** All that was taken in, which is held no more. */
  release: () => Buffer;
};

let heldBytes = 0;

/** Holds a body as one piece, which grows by doubling: each of many small ones would cost several times what it weighs. */
export function createHold(): Hold {
  let [body, length] = [Buffer.alloc(0), 0];

  function resize(bytes: number): void {
    const resized = Buffer.allocUnsafeSlow(bytes);
    body.copy(resized, 0, 0, length);
    heldBytes += bytes - body.length;
    body = resized;
  }

  return {
    take(chunk) {
      const needed = length + chunk.length;
      if (needed > body.length) {
        const grown = Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(needed)));
        if (heldBytes + grown - body.length > MAX_HELD_BYTES) return false;
        resize(grown);
      }
      chunk.copy(body, length);
      length = needed;
      return true;
    },
    release() {
      const whole = body.subarray(0, length);
      heldBytes -= body.length;
      [body, length] = [Buffer.alloc(0), 0];
      return whole;
    },
  };
}
