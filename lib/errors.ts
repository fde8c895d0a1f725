/** Every code that an answer can carry, and the HTTP status it goes with. Codes are a public contract: add, never rename. */
export const ERROR_STATUS = {
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
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What is said of a failure that is not the caller's: what it was stands in the log. */
export const FAILED_MESSAGE = "Something went wrong!";

type AppErrorOptions = {
  /** The HTTP status where it differs from the code's usual one. */
  status?: number;
  /** The input field that is wrong, so that a form can say it there. */
  field?: string;
  /** When trying again makes sense, in seconds from now. */
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** A failure that is part of the domain: its code and message are shown to the caller. Any other error is a bug and says nothing. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly field?: string;
  readonly retryAfterSeconds?: number;

  constructor(code: ErrorCode, message: string, { status, field, retryAfterSeconds, cause }: AppErrorOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? ERROR_STATUS[code];
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether `error` is an `AppError` with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}

/** After how many seconds to ask again whoever is starting, stopping or has no room for a connection or a body. */
export const SOON_SECONDS = 2;

/** The same where a database is away or a queue is full: with everybody back at once it would be so again. */
const LATER_SECONDS = 5;

/** Heard cannot do it just now, and will again soon: 503 `SERVER_ERROR` with `Retry-After`. */
export function temporarilyUnavailable(cause: unknown): AppError {
  return new AppError("SERVER_ERROR", FAILED_MESSAGE, { status: 503, retryAfterSeconds: LATER_SECONDS, cause });
}
