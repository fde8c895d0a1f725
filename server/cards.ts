import { createHash } from "node:crypto";
import { createTranslator } from "next-intl";
import { accentTones } from "#lib/accent";
import { canDraw, drawPng } from "#lib/drawing";
import { splitEmoji } from "#lib/emoji";
import { DEFAULT_LOCALE, isLocale } from "#lib/locales";
import { plainTextOf } from "#lib/markdown";
import { MESSAGES } from "#messages/all.ts";
import type { Board } from "./boards.ts";
import { CARD_SIZE, composeCard, fallbackCard, type Sheet } from "./cards/sheet.ts";
import { getImageAt } from "./images.ts";
import type { Site } from "./settings.ts";

/** What a card tells; two cards that tell the same are the same picture. */
export type Card = {
  title: string;
  description: string;
  /** Above the title; empty where the title is the site's own. */
  siteTitle: string;
  /** Six hex digits. */
  siteColor: string;
  /** The sign in front of the title; null for the site itself. */
  board: { emoji: string | null; color: string } | null;
  logo: string | null;
  locale: string;
  /** How much is public: of the site its boards, of a board its posts. */
  count: { boards: number } | { posts: number };
};

/** Part of every card's version: raised when cards are drawn differently. */
const DESIGN = 4;

/** The card of the whole site. */
export function siteCard({ title, description, accentColor, logo, locale, publicBoardCount }: Site): Card {
  return { title, description, siteTitle: "", siteColor: accentColor, board: null, logo, locale, count: { boards: publicBoardCount } };
}

/** The card of one board. */
export function boardCard(site: Site, { name, description, color, postCount }: Board): Card {
  const { emoji, text: title } = splitEmoji(name);
  const board = { emoji: emoji?.trim() ?? null, color };
  const { title: siteTitle, accentColor: siteColor, logo, locale } = site;
  return { title, description, siteTitle, siteColor, board, logo, locale, count: { posts: postCount } };
}

/** A name for exactly what the card shows: its address changes with it, and may be kept for ever. */
export function cardVersion(card: Card): string {
  return createHash("sha256")
    .update(JSON.stringify([DESIGN, card]))
    .digest("base64url")
    .slice(0, 12);
}

/** Draws a card as a PNG of `CARD_SIZE`. Where a title has letters that Heard brings no typeface for, mark and color stand alone. */
export async function drawCard(card: Card): Promise<Uint8Array<ArrayBuffer>> {
  const tones = accentTones(card.siteColor);
  if (!canDraw(card.title)) {
    const { drawing, images } = fallbackCard(tones.button);
    return drawPng(drawing, { ...CARD_SIZE, images });
  }
  const drawable = (text: string) => (canDraw(text) ? text : "");
  const sheet: Sheet = {
    title: card.title,
    description: drawable(plainTextOf(card.description)),
    siteTitle: drawable(card.siteTitle),
    footer: footerOf(card),
    sign: card.board && { emoji: card.board.emoji && drawable(card.board.emoji), color: card.board.color, ink: accentTones(card.board.color).lightInk },
    bar: tones.button,
    ink: tones.lightInk,
    logo: card.logo ? (await getImageAt(card.logo)).bytes : null,
  };
  const { drawing, images } = await composeCard(sheet);
  return drawPng(drawing, { ...CARD_SIZE, images });
}

function footerOf({ locale, count }: Card): string {
  const known = isLocale(locale) ? locale : DEFAULT_LOCALE;
  const t = createTranslator({ locale: known, messages: MESSAGES[known], namespace: "card" });
  return "boards" in count ? t("boards", count) : t("posts", count);
}
