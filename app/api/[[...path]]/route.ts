import { AppError } from "#lib/errors";
import { endpoint } from "#lib/http";

function nothingHere(): never {
  throw new AppError("NOT_FOUND", "There is nothing at this address. /api/v1/openapi.json lists what there is.");
}

/** Whatever no other route answers. 404 NOT_FOUND for every method. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({ ANY: nothingHere }, { ignoresBody: true });
