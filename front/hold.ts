import { API_BODY_BYTES } from "#lib/visit";
import { createRoom } from "./room.ts";

/** Sixty-four of the largest at once. */
const roomForHeld = createRoom(64 * API_BODY_BYTES);
const FIRST_BYTES = 1024;

/** A body on its way in. */
export type Hold = {
  /** Takes in a piece; false where too much is held already, of this body and of others. */
  take: (chunk: Buffer) => boolean;
  /** All that was taken in, which is held no more. */
  release: () => Buffer;
};

/** Holds a body as one piece, which grows by doubling: each of many small ones would cost several times what it weighs. */
export function createHold(): Hold {
  let [body, length] = [Buffer.alloc(0), 0];

  function resize(bytes: number): void {
    const resized = Buffer.allocUnsafeSlow(bytes);
    body.copy(resized, 0, 0, length);
    body = resized;
  }

  return {
    take(chunk) {
      const needed = length + chunk.length;
      if (needed > body.length) {
        const grown = Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(needed)));
        if (!roomForHeld.take(grown - body.length)) return false;
        resize(grown);
      }
      chunk.copy(body, length);
      length = needed;
      return true;
    },
    release() {
      const whole = body.subarray(0, length);
      roomForHeld.giveBack(body.length);
      [body, length] = [Buffer.alloc(0), 0];
      return whole;
    },
  };
}
