import { createHash } from "node:crypto";
import { accentTones, LIGHT_PAPER } from "#lib/accent";
import { type Drawing, drawPng } from "#lib/drawing";
import { AppError } from "#lib/errors";
import { heardMark } from "./cards/sheet.ts";
import { getImageAt } from "./images.ts";
import type { Site } from "./settings.ts";

type Shape = {
  /** In pixels. */
  side: number;
  /** How much of the side the mark takes. */
  share: number;
  isRounded: boolean;
};

/** What a device shows the site by once it was put on a home screen, by the last part of its address. */
export const ICONS = {
  // Apple's devices round the corners themselves, and show black where nothing is drawn.
  "180.png": { side: 180, share: 0.66, isRounded: false },
  "192.png": { side: 192, share: 0.66, isRounded: true },
  "512.png": { side: 512, share: 0.66, isRounded: true },
  // Is cut to any shape that has a circle of 4/5 of the side in it (W3C Web App Manifest, icon masks). A square fits into that up to 0.56 of the side.
  "maskable.png": { side: 512, share: 0.54, isRounded: false },
} satisfies Record<string, Shape>;

export type IconName = keyof typeof ICONS;

/** What an icon shows: on the site's color Heard's mark, or on light paper the owner's logo. */
export type Icon = {
  name: IconName;
  /** Six hex digits. */
  color: string;
  logo: string | null;
};

/** Part of every icon's version: raised when icons are drawn differently. */
const DESIGN = 1;
const MARK_IMAGE = "mark";

/**
 * The site's icon of this name.
 * @throws AppError NOT_FOUND
 */
export function siteIcon({ accentColor, logo }: Pick<Site, "accentColor" | "logo">, name: string): Icon {
  if (!Object.hasOwn(ICONS, name)) throw new AppError("NOT_FOUND", "There is no such icon.");
  return { name: name as IconName, color: accentColor, logo };
}

/** A name for exactly what the icon shows: its address changes with it, and may be kept for ever. */
export function iconVersion(icon: Icon): string {
  return createHash("sha256")
    .update(JSON.stringify([DESIGN, icon]))
    .digest("base64url")
    .slice(0, 12);
}

/** Where the icon is, as a path. */
export function iconPath(icon: Icon): string {
  return `/icons/${icon.name}?v=${iconVersion(icon)}`;
}

/** Draws an icon as a PNG. */
export async function drawIcon({ name, color, logo }: Icon): Promise<Uint8Array<ArrayBuffer>> {
  const { side, share, isRounded } = ICONS[name];
  const { button } = accentTones(color);
  const data = logo ? (await getImageAt(logo)).bytes : heardMark("fff", button);
  const markSide = Math.round(side * share);
  const drawing: Drawing = {
    type: "container",
    style: {
      width: side,
      height: side,
      display: "flex",
      alignItems: "center",
      justifyContent: "center",
      backgroundColor: `#${logo ? LIGHT_PAPER : button}`,
      borderRadius: isRounded ? Math.round(side * 0.22) : 0,
    },
    children: [{ type: "image", src: MARK_IMAGE, width: markSide, height: markSide, style: { objectFit: "contain" } }],
  };
  return drawPng(drawing, { width: side, height: side, images: [{ src: MARK_IMAGE, data }] });
}
