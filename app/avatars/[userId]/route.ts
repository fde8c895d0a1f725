import { endpoint } from "#lib/http";
import { drawAvatar } from "#server/avatars";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ userId: string }>({
  /** A person's picture. 200 as SVG, or 404. */
  GET: async (_request, { params }) =>
    new Response(await drawAvatar(params.userId), {
      headers: {
        "Content-Type": "image/svg+xml",
        "Cache-Control": "public, max-age=3600",
        // The name in it was typed by somebody: opened alone, the picture may do nothing.
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    }),
});
