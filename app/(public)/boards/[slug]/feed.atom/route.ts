import { endpoint } from "#lib/http";
import { boardFeed } from "#server/feeds";
import { answerFeed, boardOrMove } from "../../../../outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ slug: string }>({
  /** The newest posts of a board. 200 as Atom, 304, 308 to the present address, or 404. */
  GET: async (request, { viewer, visit, params }) => {
    const { board, move } = await boardOrMove(viewer, params.slug, "/feed.atom");
    return move ?? answerFeed(request, board.isPrivate ? viewer : null, await boardFeed(visit, board));
  },
});
