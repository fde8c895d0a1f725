import { cacheableJson, endpoint } from "#lib/http";
import { getPublicSettings, updateSettings } from "#server/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What public pages show. 200 or 304. */
  GET: async (request, { viewer }) => cacheableJson(request, viewer, { settings: await getPublicSettings() }),

  /** Changes settings. 200, or the errors of `updateSettings`. */
  PATCH: async (_request, { viewer, body }) => Response.json({ settings: await updateSettings(viewer, body) }),
});
