import { letOtherSitesShow, removeAnswerHeader } from "#lib/answer";
import { endpoint } from "#lib/http";
import { getAvatar } from "#server/avatars";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ userId: string }>({
  /** A person's picture. 200 as WebP or SVG; 304 to who has it, asked each time, for it may change; or 404. */
  GET: async (request, { params }) => {
    const { version, read } = await getAvatar(params.userId);
    letOtherSitesShow();
    const headers = { ETag: `"${version}"`, "Cache-Control": "public, no-cache" };
    if (request.headers.get("if-none-match")?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
    const { bytes, type } = await read();
    removeAnswerHeader("Content-Security-Policy");
    // The name in a drawn one was typed by somebody: opened alone, the picture may do nothing.
    return new Response(bytes, {
      headers: {
        ...headers,
        "Content-Type": type,
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      },
    });
  },
});
