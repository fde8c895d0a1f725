import { endpoint } from "#lib/http";
import { boardCard } from "#server/cards";
import { getSite } from "#server/settings";
import { answerCard, boardOrMove } from "../../../../outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ slug: string }>({
  /** The picture that a link to a board is shown with. 200 as PNG, 304, 308 to the present address, or 404. */
  GET: async (request, { viewer, params }) => {
    const { board, move } = await boardOrMove(viewer, params.slug, "/card.png");
    return move ?? answerCard(request, board.isPrivate ? viewer : null, boardCard(await getSite(), board));
  },
});
