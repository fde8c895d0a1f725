/** Memory that all bodies share which are held, or all that are handed on: who sends them is asked only when they are whole, and may open as many connections as there are. */
export type Room = {
  /** Takes `bytes` of it; false, and nothing is taken, where there are not so many left. */
  take: (bytes: number) => boolean;
  giveBack: (bytes: number) => void;
};

/** Room for as many bytes as are given. */
export function createRoom(bytes: number): Room {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    giveBack(taken) {
      left += taken;
    },
  };
}
