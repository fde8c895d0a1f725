import { cacheableJson, endpoint } from "#lib/http";
import { getSite, toPublicSettingsJson, toSettingsJson, updateSettings } from "#server/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** What public pages show. 200 or 304. */
  GET: async (request, { viewer, visit }) => cacheableJson(request, viewer, { settings: toPublicSettingsJson(visit, await getSite()) }),

  /** Changes settings. 200, or the errors of `updateSettings`. */
  PATCH: async (_request, { viewer, visit, body }) => Response.json({ settings: toSettingsJson(visit, await updateSettings(viewer, body)) }),
});
