/** A theme's colors for the owner's accent, as `app/globals.css` makes them with the browser's own maths: six hex digits without `#`. */
export type AccentTones = {
  /** Behind white text. */
  button: string;
  /** The same among dark surfaces, from which it stands out: never darker than `button`. */
  darkButton: string;
  /** As text on light paper. */
  lightInk: string;
  /** As text on dark paper. */
  darkInk: string;
};

type Rgb = [number, number, number];
type Oklch = { l: number; c: number; h: number };

/** The color of a site whose owner has chosen none: petrol, which no status uses. */
export const DEFAULT_ACCENT = "0f6b7c";

/** What the tones stand on, as in `app/globals.css`. */
export const WHITE = "ffffff";
export const LIGHT_PAPER = "faf9f7";
export const DARK_PAPER = "131211";

/** WCAG 2.2, 1.4.3: what text of usual size needs. */
export const READABLE_RATIO = 4.5;

/**
 * The lightness at which a color is readable, as in `app/globals.css`. A button in the dark theme is to be seen besides: the lightest of
 * the surfaces there has 0.27, from which a black one of 0.42 stands out, and what most owners choose, the default too, is lighter and stays.
 */
export const LIGHTNESS = { buttonMax: 0.51, darkButtonMin: 0.42, lightInkMax: 0.48, darkInkMin: 0.76 };

/** How a color (six hex digits) is toned for each place that it is used in. */
export function accentTones(hex: string): AccentTones {
  const { l, c, h } = toOklch(parse(hex));
  return {
    button: toHex({ l: Math.min(l, LIGHTNESS.buttonMax), c, h }),
    darkButton: toHex({ l: Math.min(Math.max(l, LIGHTNESS.darkButtonMin), LIGHTNESS.buttonMax), c, h }),
    lightInk: toHex({ l: Math.min(l, LIGHTNESS.lightInkMax), c, h }),
    darkInk: toHex({ l: Math.max(l, LIGHTNESS.darkInkMin), c, h }),
  };
}

/** The contrast of two colors (six hex digits each), 1 to 21, as WCAG 2.2 reckons it. */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linear(parse(hex));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function parse(hex: string): Rgb {
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
}

function linear(rgb: Rgb): Rgb {
  return rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Rgb;
}

// The matrices are Björn Ottosson's (https://bottosson.github.io/posts/oklab/), the ones of CSS Color 4.
function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = linear(rgb);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [lightness, a, blue] = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  return { l: lightness, c: Math.hypot(a, blue), h: Math.atan2(blue, a) };
}

/** What the screen cannot show is cut off, as browsers do. */
function toHex({ l: lightness, c, h }: Oklch): string {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return rgb.map(hexOfLinear).join("");
}

function hexOfLinear(part: number): string {
  const gamma = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, gamma)) * 255)
    .toString(16)
    .padStart(2, "0");
}
