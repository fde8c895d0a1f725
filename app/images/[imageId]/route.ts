import { letOtherSitesShow } from "#lib/answer";
import { endpoint } from "#lib/http";
import { getImage } from "#server/images";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ imageId: string }>({
  /** An uploaded picture, such as the site's logo. 200, or 404. */
  GET: async (_request, { params }) => {
    const { bytes, type } = await getImage(params.imageId);
    letOtherSitesShow();
    return new Response(bytes, { headers: { "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" } });
  },
});
