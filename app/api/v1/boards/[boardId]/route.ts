import { showOneBoard } from "#lib/answer";
import { cacheableJson, endpoint } from "#lib/http";
import { getBoard, toBoardJson, updateBoard } from "#server/boards";
import { deleteBoard } from "#server/boards/deletion";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<{ boardId: string }>({
  /** One board. 200 or 304, or 404 BOARD_NOT_FOUND. */
  GET: async (request, { viewer, params }) => {
    const board = await getBoard(viewer, params.boardId);
    showOneBoard(board.boardId);
    return cacheableJson(request, viewer, { board: toBoardJson(board) });
  },

  /** Changes a board. 200, or the errors of `updateBoard`. */
  PATCH: async (_request, { viewer, params, body }) => Response.json({ board: toBoardJson(await updateBoard(viewer, params.boardId, body)) }),

  /** Deletes a board. 204, or the errors of `deleteBoard`. */
  DELETE: async (_request, { viewer, params }) => {
    await deleteBoard(viewer, params.boardId);
    return new Response(null, { status: 204 });
  },
});
