import { expect, test } from "vitest";
import { AppError, ERROR_STATUS, temporarilyUnavailable } from "./errors.ts";

test("every code there is goes with one status, and stays with it: both are public", () => {
  expect(ERROR_STATUS).toEqual({
    VALIDATION_ERROR: 400,
    INVALID_JSON: 400,
    EMAIL_INVALID: 400,
    PASSWORD_MISSING: 400,
    PASSWORD_TOO_SHORT: 400,
    PASSWORD_TOO_LONG: 400,
    PASSWORD_TOO_COMMON: 400,
    UNAUTHENTICATED: 401,
    INVALID_TOKEN: 401,
    INVALID_CREDENTIALS: 401,
    FORBIDDEN: 403,
    SETUP_COMPLETED: 403,
    SIGNUP_NOT_ALLOWED: 403,
    USER_BLOCKED: 403,
    NOT_FOUND: 404,
    BOARD_NOT_FOUND: 404,
    SESSION_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    USER_EXISTS: 409,
    EMAIL_VERIFIED: 409,
    BOARD_URL_EXISTS: 409,
    LAST_OWNER: 409,
    OWN_ACCOUNT: 409,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    IMAGE_UNREADABLE: 422,
    RATE_LIMITED: 429,
    SERVER_ERROR: 500,
    MAIL_CONFIG_MISSING: 501,
  });
});

test("a failure has its code's status, unless it says otherwise", () => {
  expect(new AppError("USER_EXISTS", "…").status).toBe(409);
  expect(new AppError("INVALID_TOKEN", "…", { status: 400 }).status).toBe(400);
});

test("what will work again soon is 503, says nothing of its cause, and when to come back", () => {
  const error = temporarilyUnavailable(new Error("connection refused"));

  expect(error).toMatchObject({ code: "SERVER_ERROR", status: 503, message: "Something went wrong!", retryAfterSeconds: expect.any(Number) });
});
