import { LIGHT_PAPER } from "#lib/accent";
import { cacheable, endpoint } from "#lib/http";
import { directionOf } from "#lib/locales";
import { plainTextOf } from "#lib/markdown";
import { ICONS, type IconName, iconPath, siteIcon } from "#server/icons";
import { getSite, type Site } from "#server/settings";

// Below an icon there is room for this much.
const MAX_SHORT_NAME = 12;

const ICON_PURPOSES = { "192.png": "any", "512.png": "any", "maskable.png": "maskable" } satisfies Partial<Record<IconName, string>>;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What a device shows where the site is put on its home screen. 200 or 304. */
  GET: async (request) => {
    const site = await getSite();
    const { title, description, accentColor, locale } = site;
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
      icons: Object.entries(ICON_PURPOSES).map(([name, purpose]) => iconOf(site, name as IconName, purpose)),
    };
    return cacheable(request, null, JSON.stringify(manifest), { "Content-Type": "application/manifest+json" });
  },
});

function iconOf(site: Site, name: IconName, purpose: string) {
  const { side } = ICONS[name];
  return { src: iconPath(siteIcon(site, name)), type: "image/png", sizes: `${side}x${side}`, purpose };
}
