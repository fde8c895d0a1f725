import { endpoint } from "#lib/http";
import { drawIcon, iconVersion, siteIcon } from "#server/icons";
import { getSite } from "#server/settings";
import { answerDrawn } from "../../outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ icon: string }>({
  /** What a device shows the site by on its home screen. 200 as PNG, 304, or 404. */
  GET: async (request, { params }) => {
    const icon = siteIcon(await getSite(), params.icon);
    return answerDrawn(request, null, { version: iconVersion(icon), draw: () => drawIcon(icon) });
  },
});
