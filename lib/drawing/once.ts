type Png = Uint8Array<ArrayBuffer>;

/** How many pictures are kept; a large one has some 60 kB. */
const KEPT = 20;

/** By their version, the one asked for last at the end. */
const drawn = new Map<string, Promise<Png>>();

/** What `draw` draws, which `version` names, but drawn once for all who ask: anybody may, as often as they like. */
export function drawnOnce(version: string, draw: () => Promise<Png>): Promise<Png> {
  const picture = drawn.get(version) ?? draw();
  drawn.delete(version);
  drawn.set(version, picture);
  const [oldest = version] = drawn.keys();
  if (drawn.size > KEPT) drawn.delete(oldest);
  // What could not be drawn now may be later.
  picture.catch(() => drawn.delete(version));
  return picture;
}
