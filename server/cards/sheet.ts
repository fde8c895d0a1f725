import { LIGHT_PAPER } from "#lib/accent";
import type { Drawing } from "#lib/drawing";
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

type Picture = { drawing: Drawing; images: { src: string; data: Uint8Array }[] };

// As the light theme of app/globals.css has them.
const INK = "#1d1a16";
const MUTED = "#625c53";
const MARGIN = 80;
const MARK_IMAGE = "mark";
// Longer ones are set smaller, so that most fit on two lines.
const SHORT_TITLE = 34;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The card of a site or board: whose it is, what it is called, what belongs there, and how much of it there is. */
export function composeCard(sheet: Sheet): Picture {
  const direction = RIGHT_TO_LEFT.test(sheet.title) ? "rtl" : "ltr";
  const drawing: Drawing = {
    type: "container",
    style: { ...column(), ...CARD_SIZE, direction, justifyContent: "space-between", backgroundColor: `#${LIGHT_PAPER}`, color: INK, overflowWrap: "anywhere" },
    children: [
      { type: "container", style: { height: 16, width: "100%", backgroundColor: `#${sheet.bar}` } },
      {
        type: "container",
        style: { ...column(), flexGrow: 1, justifyContent: "space-between", padding: `64px ${MARGIN}px` },
        children: [whose(sheet), what(sheet), words(sheet.footer, { fontSize: 28, fontWeight: 600, color: `#${sheet.ink}` })],
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

function whose({ siteTitle, logo }: Sheet): Drawing {
  const side = siteTitle ? 56 : 88;
  return {
    type: "container",
    style: { display: "flex", alignItems: "center", gap: 20 },
    children: [
      { type: "image", src: MARK_IMAGE, width: side, height: side, style: { objectFit: "contain", flexShrink: 0, borderRadius: logo ? 8 : 0 } },
      words(siteTitle, { fontSize: 32, fontWeight: 600, lineClamp: 1 }),
    ],
  };
}

function what({ title, description, sign }: Sheet): Drawing {
  const fontSize = [...title].length > SHORT_TITLE ? 60 : 76;
  const name = words(title, { fontSize, fontWeight: 700, letterSpacing: "-0.02em", lineHeight: 1.15, lineClamp: 2 });
  return {
    type: "container",
    style: { ...column(), gap: 28 },
    children: [
      { type: "container", style: { display: "flex", alignItems: "center", gap: 32 }, children: sign ? [signOf(sign), name] : [name] },
      words(description, { fontSize: 34, lineHeight: 1.4, color: MUTED, lineClamp: 2 }),
    ],
  };
}

/** As `components/board-tile.tsx` draws it, the emoji in the board's color. */
function signOf({ emoji, color, ink }: NonNullable<Sheet["sign"]>): Drawing {
  const center = { display: "flex", alignItems: "center", justifyContent: "center", flexShrink: 0 } as const;
  const inner: Drawing = emoji
    ? words(emoji, { fontSize: 68, fontWeight: 600, color: `#${ink}` })
    : { type: "container", style: { width: 44, height: 44, borderRadius: 22, backgroundColor: `#${color}` } };
  return { type: "container", style: { ...center, width: 120, height: 120, borderRadius: 32, backgroundColor: `#${color}29` }, children: [inner] };
}

function words(text: string, style: NonNullable<Drawing["style"]>): Drawing {
  return { type: "text", text, style: { minWidth: 0, textOverflow: "ellipsis", ...style } };
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
