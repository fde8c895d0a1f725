import { endpoint } from "#lib/http";
import { siteFeed } from "#server/feeds";
import { answerFeed } from "../outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The newest posts of all public boards. 200 as Atom, 304, or 404 before set-up. */
  GET: async (request, { visit }) => answerFeed(request, null, await siteFeed(visit)),
});
