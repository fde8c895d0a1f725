import { endpoint } from "#lib/http";
import { siteCard } from "#server/cards";
import { getSite } from "#server/settings";
import { answerCard } from "../outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The picture that a link to the site is shown with. 200 as PNG, or 304. */
  GET: async (request) => answerCard(request, null, siteCard(await getSite())),
});
