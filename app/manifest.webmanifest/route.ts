import { LIGHT_PAPER } from "#lib/accent";
import { cacheable, endpoint } from "#lib/http";
import { directionOf } from "#lib/locales";
import { plainTextOf } from "#lib/markdown";
import { getSite } from "#server/settings";

// Below an icon there is room for this much.
const MAX_SHORT_NAME = 12;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What a device shows where the site is put on its home screen. 200 or 304. */
  GET: async (request) => {
    const { title, description, accentColor, locale, logo } = await getSite();
    const manifest = {
      id: "/",
      name: title,
      short_name: [...title].length <= MAX_SHORT_NAME ? title : (title.split(/\s/)[0] ?? title),
      description: plainTextOf(description) || undefined,
      lang: locale,
      dir: directionOf(locale),
      start_url: "/",
      scope: "/",
      display: "minimal-ui",
      theme_color: `#${accentColor}`,
      background_color: `#${LIGHT_PAPER}`,
      icons: [...(logo ? [{ src: logo, type: "image/webp", sizes: "any" }] : []), { src: "/icon.svg", type: "image/svg+xml", sizes: "any" }],
    };
    return cacheable(request, null, JSON.stringify(manifest), { "Content-Type": "application/manifest+json" });
  },
});
