import { removeAnswerHeader } from "#lib/answer";
import { AppError } from "#lib/errors";
import { endpoint } from "#lib/http";
import { getMail } from "#server/mails/letters";

// A letter's styles are attributes, which the policy of our pages forbids; nothing in it may run or be fetched.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

// Nothing of the site may stand in a frame: a link that was followed within it would show nothing.
const LINKS_OPEN_OUTSIDE = '<base target="_blank"/>';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ mailId: string }>({
  /** A letter's HTML, for the frame on its page. 200, or the errors of `getMail`. */
  GET: async (_request, { viewer, params }) => {
    const { rendered } = await getMail(viewer, params.mailId);
    if (!rendered) throw new AppError("NOT_FOUND", "The content of this email is kept nowhere.");
    removeAnswerHeader("Content-Security-Policy");
    return new Response(rendered.html.replace("<head>", `$&${LINKS_OPEN_OUTSIDE}`), {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY, "Cache-Control": "no-store" },
    });
  },
});
