import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, Renderer } from "@takumi-rs/core";
import { codePointsOf } from "./drawing/woff2.ts";

/** A picture's parts: boxes, words and pictures with the properties of CSS. */
export type Drawing = Node;

type DrawingOptions = {
  width: number;
  height: number;
  /** Pictures that the drawing names by `src`. Nothing is fetched from anywhere. */
  images?: { src: string; data: Uint8Array }[];
};

type Typeface = { family: string; file: Buffer };

// Where npm puts them: the server runs in its own folder.
const FONTS = "node_modules/@fontsource-variable";
const FONT_FILES = [
  "figtree/files/figtree-latin-wght-normal.woff2",
  "figtree/files/figtree-latin-ext-wght-normal.woff2",
  "noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2",
];
const EMOJI_FOLDER = "noto-emoji/files";
// Joiners, variation selectors, skin tones: they change the picture before them and have none of their own.
const WITHOUT_PICTURE = /\s|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point}/u;

let studio: Promise<{ renderer: Renderer; families: string[] }> | undefined;
let drawable: Set<number> | undefined;

/** Draws a PNG with the typefaces that Heard brings: Latin letters, Arabic ones, and emoji in one color. Takes some 10 ms on another thread. */
export async function drawPng(drawing: Drawing, { width, height, images }: DrawingOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { renderer, families } = await openedStudio();
  return new Uint8Array(await renderer.render(drawing, { width, height, format: "png", fontFamilies: families, images }));
}

/** How words are set: `fontSize` and `lineHeight` at least, the latter as a factor. */
export type Setting = NonNullable<Drawing["style"]> & { fontSize: number; lineHeight: number };

/**
 * As much of `text`, set like that, as fits on so many `lines` of `width` pixels: where that is not all, with dots behind it. The renderer's own `lineClamp`
 * throws away nearly all of a last line that runs from right to left.
 */
export async function cutToLines(text: string, setting: Setting, { width, lines }: { width: number; lines: number }): Promise<string> {
  const { renderer, families } = await openedStudio();
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const first = (count: number) => (count < characters.length ? `${characters.slice(0, count).join("").trimEnd()}…` : text);
  const fits = async (count: number) => {
    const words: Drawing = {
      type: "container",
      style: { display: "flex", width, overflowWrap: "anywhere" },
      children: [{ type: "text", text: first(count), style: setting }],
    };
    const { height } = await renderer.measure(words, { width, height: 10 * width, fontFamilies: families });
    return height < (lines + 0.5) * setting.lineHeight * setting.fontSize;
  };
  let [most, tooMany] = [0, characters.length + 1];
  if (await fits(characters.length)) return text;
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (await fits(middle)) most = middle;
    else tooMany = middle;
  }
  return first(most);
}

/** Whether every character of `text` has a picture in those typefaces; one that has none would be drawn as an empty box. */
export function canDraw(text: string): boolean {
  drawable ??= new Set(typefaces().flatMap(({ file }) => [...codePointsOf(file)]));
  const points = drawable;
  return [...text].every((character) => WITHOUT_PICTURE.test(character) || points.has(character.codePointAt(0) as number));
}

function openedStudio() {
  studio ??= openStudio().catch((error: unknown) => {
    studio = undefined;
    throw error;
  });
  return studio;
}

async function openStudio() {
  const renderer = new Renderer();
  const faces = typefaces();
  for (const { family, file } of faces) await renderer.registerFont({ name: family, data: file });
  return { renderer, families: faces.map(({ family }) => family) };
}

/** The order is that in which a character is looked for. */
function typefaces(): Typeface[] {
  const emoji = readdirSync(join(FONTS, EMOJI_FOLDER)).map((name) => `${EMOJI_FOLDER}/${name}`);
  return [...FONT_FILES, ...emoji.sort()].map((path, index) => ({ family: `heard-${index}`, file: readFileSync(join(FONTS, path)) }));
}
