import { LIGHT_PAPER } from "#lib/accent";
import { cutToLines, type Drawing, type Setting } from "#lib/drawing";
import { MARK } from "#lib/mark";

/** What Open Graph's readers expect: 1.91 to 1. */
export const CARD_SIZE = { width: 1200, height: 630 };

/** What stands on a card, decided and fit to be drawn. Colors are six hex digits; what is empty is left out. */
export type Sheet = {
  title: string;
  description: string;
  siteTitle: string;
  footer: string;
  sign: { emoji: string | null; color: string; ink: string } | null;
  bar: string;
  ink: string;
  logo: Uint8Array | null;
};

/** Where the lines of a text stand. */
type Side = "left" | "right" | "center";

type Picture = { drawing: Drawing; images: { src: string; data: Uint8Array }[] };

// As the light theme of app/globals.css has them.
const INK = "#1d1a16";
const MUTED = "#625c53";
const MARGIN = 80;
const WIDTH = CARD_SIZE.width - 2 * MARGIN;
const GAP = 20;
const SIGN_SIDE = 120;
const SIGN_GAP = 32;
const MARK_IMAGE = "mark";
// Longer ones are set smaller, so that most fit on two lines.
const SHORT_TITLE = 34;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The card of a site or board: whose it is, what it is called, what belongs there, and how much of it there is. */
export async function composeCard(sheet: Sheet): Promise<Picture> {
  const direction = directionOfText(sheet.title);
  const side = direction === "rtl" ? "right" : "left";
  const footer = words(sheet.footer, { fontSize: 28, fontWeight: 600, color: `#${sheet.ink}` }, side);
  const drawing: Drawing = {
    type: "container",
    style: { ...column(), ...CARD_SIZE, direction, justifyContent: "space-between", backgroundColor: `#${LIGHT_PAPER}`, color: INK, overflowWrap: "anywhere" },
    children: [
      { type: "container", style: { height: 16, width: "100%", backgroundColor: `#${sheet.bar}` } },
      {
        type: "container",
        style: { ...column(), flexGrow: 1, justifyContent: "space-between", padding: `64px ${MARGIN}px` },
        children: [await whose(sheet, side), await what(sheet, side), footer],
      },
    ],
  };
  return { drawing, images: [{ src: MARK_IMAGE, data: sheet.logo ?? heardMark(sheet.bar, "fff") }] };
}

/** Heard's mark on the site's color, for a title that cannot be drawn. */
export function fallbackCard(color: string): Picture {
  const drawing: Drawing = {
    type: "container",
    style: { ...CARD_SIZE, display: "flex", alignItems: "center", justifyContent: "center", backgroundColor: `#${color}` },
    children: [{ type: "image", src: MARK_IMAGE, width: 240, height: 240 }],
  };
  return { drawing, images: [{ src: MARK_IMAGE, data: heardMark("fff", color) }] };
}

async function whose({ siteTitle, logo }: Sheet, side: Side): Promise<Drawing> {
  const size = siteTitle ? 56 : 88;
  const setting = { fontSize: 32, fontWeight: 600, lineHeight: 1.4 };
  return {
    type: "container",
    style: { display: "flex", alignItems: "center", gap: GAP },
    children: [
      { type: "image", src: MARK_IMAGE, width: size, height: size, style: { objectFit: "contain", flexShrink: 0, borderRadius: logo ? 8 : 0 } },
      await wordsOnLines(siteTitle, setting, { width: WIDTH - size - GAP, lines: 1 }, side),
    ],
  };
}

async function what({ title, description, sign }: Sheet, side: Side): Promise<Drawing> {
  const fontSize = [...title].length > SHORT_TITLE ? 60 : 76;
  const width = sign ? WIDTH - SIGN_SIDE - SIGN_GAP : WIDTH;
  const name = await wordsOnLines(title, { fontSize, fontWeight: 700, letterSpacing: "-0.02em", lineHeight: 1.15 }, { width, lines: 2 }, side);
  return {
    type: "container",
    style: { ...column(), gap: 28 },
    children: [
      { type: "container", style: { display: "flex", alignItems: "center", gap: SIGN_GAP }, children: sign ? [signOf(sign), name] : [name] },
      await wordsOnLines(description, { fontSize: 34, lineHeight: 1.4, color: MUTED }, { width: WIDTH, lines: 2 }, side),
    ],
  };
}

/** As `components/board-tile.tsx` draws it, the emoji in the board's color. */
function signOf({ emoji, color, ink }: NonNullable<Sheet["sign"]>): Drawing {
  const center = { display: "flex", alignItems: "center", justifyContent: "center", flexShrink: 0 } as const;
  const inner: Drawing = emoji
    ? words(emoji, { fontSize: 68, fontWeight: 600, color: `#${ink}` }, "center")
    : { type: "container", style: { width: 44, height: 44, borderRadius: 22, backgroundColor: `#${color}` } };
  return { type: "container", style: { ...center, width: SIGN_SIDE, height: SIGN_SIDE, borderRadius: 32, backgroundColor: `#${color}29` }, children: [inner] };
}

/** Each may be in another language than the title: it stands where that does, and runs its own way. */
function words(text: string, style: NonNullable<Drawing["style"]>, side: Side): Drawing {
  return { type: "text", text, style: { minWidth: 0, direction: directionOfText(text), textAlign: side, ...style } };
}

async function wordsOnLines(text: string, setting: Setting, room: { width: number; lines: number }, side: Side): Promise<Drawing> {
  return words(await cutToLines(text, setting, room), setting, side);
}

function directionOfText(text: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
}

function column() {
  return { display: "flex", flexDirection: "column" } as const;
}

/** Heard's mark as SVG, in colors of three or six hex digits. */
export function heardMark(color: string, ink: string): Uint8Array {
  const voice = `<path d="${MARK.source}" stroke-width="4"/><path d="${MARK.waves}"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="320" height="320"><path d="${MARK.bubble}" fill="#${color}"/><g fill="none" stroke="#${ink}" stroke-width="2.6" stroke-linecap="round">${voice}</g></svg>`,
  );
}
