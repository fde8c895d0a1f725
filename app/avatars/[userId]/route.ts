import { letOtherSitesShow, removeAnswerHeader } from "#lib/answer";
import { cacheableAs, endpoint } from "#lib/http";
import { getAvatar } from "#server/avatars";

// The name in a drawn one was typed by somebody: opened alone, the picture may do nothing.
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ userId: string }>({
  /** A person's picture. 200 as WebP or SVG; 304 to who has it, asked each time, for it may change; or 404. */
  GET: async (request, { viewer, params }) => {
    const { version, read } = await getAvatar(params.userId);
    letOtherSitesShow();
    const answer = await cacheableAs(request, viewer, { version, make: read }, { "Cache-Control": "public, no-cache", "Content-Security-Policy": POLICY });
    removeAnswerHeader("Content-Security-Policy");
    return answer;
  },
});
