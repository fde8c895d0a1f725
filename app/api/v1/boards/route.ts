import { cacheableJson, endpoint, readQuery } from "#lib/http";
import { createBoard, listBoards, toBoardJson, toListedBoardJson } from "#server/boards";
import { linkHeader } from "#server/boards/pages";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Lists the boards the viewer may see. 200 or 304, or 400 VALIDATION_ERROR. */
  GET: async (request, { viewer }) => {
    const page = await listBoards(viewer, readQuery(request));
    const headers = { "X-Total-Count": String(page.total), Link: linkHeader("/api/v1/boards", page.query, page) };
    return cacheableJson(request, viewer, { boards: page.boards.map(toListedBoardJson) }, headers);
  },

  /** Creates a board. 201, or the errors of `createBoard`. */
  POST: async (_request, { viewer, body }) => {
    const board = await createBoard(viewer, body);
    return Response.json({ board: toBoardJson(board) }, { status: 201, headers: { Location: `/api/v1/boards/${board.boardId}` } });
  },
});
