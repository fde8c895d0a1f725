import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { ErrorCode } from "#lib/errors";
import { boardsQuery } from "./boards/pages.ts";
import { boardChange, boardJson, listedBoardJson, newBoard } from "./boards.ts";
import { emailValidation } from "./email-confirmation.ts";
import { login } from "./login.ts";
import { COMMON_ERRORS, errorJson, type Failure, failureAnswers } from "./openapi/failures.ts";
import { passwordReset, resetRequest } from "./password-reset.ts";
import { sessionJson } from "./sessions.ts";
import { publicSettingsJson, settingsChange, settingsJson } from "./settings.ts";
import { newSite } from "./setup.ts";
import { newCredentials, newProfile, ownUserJson, signedInUserJson, userChange } from "./users.ts";

const verifyJson = z.object({ verify: z.object({ success: z.literal(true) }) });
const resetJson = z.object({ reset: z.object({ success: z.literal(true) }) });
const boardIdInPath = z.object({ boardId: z.string() });
const sessionIdInPath = z.object({ sessionId: z.string() });

const PASSWORD_ERRORS: ErrorCode[] = ["PASSWORD_MISSING", "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG", "PASSWORD_TOO_COMMON"];

const ETag = "Names this state of the answer; sent back as If-None-Match it gets 304 while nothing has changed.";

type Answer = { status: number; description: string; body?: z.ZodType; headers?: Record<string, string> };

type Operation = {
  summary: string;
  answer: Answer;
  /** What it can fail with, beside what every operation can. */
  errors?: Failure[];
  body?: z.ZodType;
  query?: z.ZodObject;
  path?: z.ZodObject;
  /** Whether it needs a token, or looks at one that is sent. */
  token?: "needed" | "optional";
};

let document: ReturnType<typeof createDocument> | undefined;

/** The OpenAPI 3.1 document of `/api/v1`, made from the schemas that the services parse with. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  document ??= createDocument({
    openapi: "3.1.0",
    info: {
      title: "Heard",
      version: "1",
      description: "A feedback board: its boards, settings, accounts and sessions. Every failure is `{ message, code }`; codes are never renamed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    components: {
      schemas: { Error: errorJson },
      securitySchemes: { authToken: { type: "http", scheme: "bearer", description: "The `authToken` that setting up, signing up and signing in answer." } },
    },
    paths: withTags(paths),
  });
  return document;
}

const paths: ZodOpenApiPathsObject = {
  "/auth/setup": {
    get: read({ summary: "Whether the site is set up", answer: { status: 200, description: "Set up or not", body: z.object({ is_setup: z.boolean() }) } }),
    post: write({
      summary: "Create the owner account and set the site title",
      body: newCredentials.extend(newSite.shape),
      answer: { status: 201, description: "The owner, signed in", body: z.object({ user: signedInUserJson }) },
      errors: ["MAIL_CONFIG_MISSING", "EMAIL_INVALID", ...PASSWORD_ERRORS, "SETUP_COMPLETED", "USER_EXISTS"],
    }),
  },
  "/auth/signup": {
    post: write({
      summary: "Create a new user account",
      body: newCredentials.extend(newProfile.shape),
      answer: { status: 201, description: "The new account, signed in", body: z.object({ user: signedInUserJson }) },
      errors: ["MAIL_CONFIG_MISSING", "EMAIL_INVALID", ...PASSWORD_ERRORS, "SIGNUP_NOT_ALLOWED", "USER_EXISTS"],
    }),
  },
  "/auth/login": {
    post: write({
      summary: "Sign in",
      body: login,
      answer: { status: 200, description: "The account, with a new token", body: z.object({ user: signedInUserJson }) },
      errors: ["EMAIL_INVALID", "PASSWORD_MISSING", "INVALID_CREDENTIALS", "USER_BLOCKED"],
    }),
  },
  "/auth/logout": { post: write({ summary: "End the token's session", answer: { status: 204, description: "Signed out" }, token: "needed" }) },
  "/auth/email/verify": {
    post: write({
      summary: "Send the confirming email again",
      answer: { status: 200, description: "On its way", body: verifyJson },
      errors: ["EMAIL_VERIFIED", "MAIL_CONFIG_MISSING"],
      token: "needed",
    }),
  },
  "/auth/email/validate": {
    post: write({
      summary: "Confirm an address by a mailed link's token",
      body: emailValidation,
      answer: { status: 200, description: "Confirmed", body: verifyJson },
      errors: [{ code: "INVALID_TOKEN", status: 400 }],
      token: "optional",
    }),
  },
  "/auth/password/reset": {
    post: write({
      summary: "Send an email with a link for a new password, if the address has an account",
      body: resetRequest,
      answer: { status: 200, description: "Read. The answer is the same whether or not there is such an account", body: resetJson },
      errors: ["MAIL_CONFIG_MISSING", "EMAIL_INVALID"],
      token: "optional",
    }),
  },
  "/auth/password/validate": {
    post: write({
      summary: "Set a new password by a mailed link's token, and end every session",
      body: passwordReset,
      answer: { status: 200, description: "The password is set", body: resetJson },
      errors: [{ code: "INVALID_TOKEN", status: 400 }, ...PASSWORD_ERRORS],
      token: "optional",
    }),
  },
  "/boards": {
    get: read({
      summary: "List boards by creation date",
      query: boardsQuery,
      answer: {
        status: 200,
        description: "One page of the boards that the caller may see",
        body: z.object({ boards: z.array(listedBoardJson) }),
        headers: {
          ETag,
          "X-Total-Count": "How many boards there are in all.",
          Link: 'RFC 8288: first, prev, next, last. The next page is named twice: by its number and, titled "after", by the cursor. Where after was given, it is named by the cursor alone, and there is no prev: a cursor only leads on.',
        },
      },
      token: "optional",
    }),
    post: write({
      summary: "Create a board",
      body: newBoard,
      answer: { status: 201, description: "The board", body: z.object({ board: boardJson }) },
      errors: ["BOARD_URL_EXISTS"],
      token: "needed",
    }),
  },
  "/boards/{boardId}": {
    get: read({
      summary: "One board",
      path: boardIdInPath,
      answer: { status: 200, description: "The board", body: z.object({ board: boardJson }), headers: { ETag } },
      errors: ["BOARD_NOT_FOUND"],
      token: "optional",
    }),
    patch: write({
      summary: "Change a board",
      path: boardIdInPath,
      body: boardChange,
      answer: { status: 200, description: "The board as it is now", body: z.object({ board: boardJson }) },
      errors: ["BOARD_NOT_FOUND", "BOARD_URL_EXISTS"],
      token: "needed",
    }),
    delete: write({
      summary: "Delete a board and its posts",
      path: boardIdInPath,
      answer: { status: 204, description: "Deleted" },
      errors: ["BOARD_NOT_FOUND"],
      token: "needed",
    }),
  },
  "/settings/site": {
    get: read({
      summary: "What public pages show",
      answer: { status: 200, description: "Settings", body: z.object({ settings: publicSettingsJson }), headers: { ETag } },
      token: "optional",
    }),
    patch: write({
      summary: "Change settings",
      body: settingsChange,
      answer: {
        status: 200,
        description: "The settings as they are now, without those that the API does not return",
        body: z.object({ settings: settingsJson }),
      },
      token: "needed",
    }),
  },
  "/users/me": {
    get: read({ summary: "Your own account", answer: { status: 200, description: "The account", body: z.object({ user: ownUserJson }) }, token: "needed" }),
    patch: write({
      summary: "Change your name or password",
      body: userChange,
      answer: { status: 200, description: "The account as it is now", body: z.object({ user: ownUserJson }) },
      errors: [...PASSWORD_ERRORS, { code: "INVALID_CREDENTIALS", status: 403 }],
      token: "needed",
    }),
  },
  "/users/me/sessions": {
    get: read({
      summary: "Where you are signed in",
      answer: { status: 200, description: "Sessions", body: z.object({ sessions: z.array(sessionJson) }) },
      token: "needed",
    }),
    delete: write({ summary: "End every session but this one", answer: { status: 204, description: "Ended" }, token: "needed" }),
  },
  "/users/me/sessions/{sessionId}": {
    delete: write({
      summary: "End one session",
      path: sessionIdInPath,
      answer: { status: 204, description: "Ended" },
      errors: ["SESSION_NOT_FOUND"],
      token: "needed",
    }),
  },
};

function read(described: Operation): ZodOpenApiOperationObject {
  return operation(described, described.errors ?? []);
}

/** Every write reads its body, also where it takes nothing from it, and is refused from another site. */
function write(described: Operation): ZodOpenApiOperationObject {
  return operation(described, [...(described.errors ?? []), "FORBIDDEN", ...COMMON_ERRORS.write]);
}

/** The part of the API that a path belongs to, by its first word: what the reference groups operations by. */
const TAGS: Record<string, string> = { auth: "Accounts", boards: "Boards", settings: "Settings", users: "People" };

function withTags(all: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  const tagOf = (path: string) => TAGS[path.split("/")[1] ?? ""] ?? "More";
  const tagged = Object.entries(all).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, described]) => [method, { tags: [tagOf(path)], ...described }]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(tagged);
}

function operation({ summary, answer, body, query, path, token }: Operation, errors: Failure[]): ZodOpenApiOperationObject {
  return {
    summary,
    security: token === "needed" ? [{ authToken: [] }] : token === "optional" ? [{}, { authToken: [] }] : [],
    ...(body && { requestBody: { required: false, content: { "application/json": { schema: body } } } }),
    requestParams: { ...(query && { query }), ...(path && { path }) },
    responses: {
      ...(answer.headers?.ETag ? { 304: { description: "What the caller's If-None-Match already has" } } : {}),
      ...failureAnswers([...errors, ...commonErrors(token)]),
      [answer.status]: {
        description: answer.description,
        ...(answer.body && { content: { "application/json": { schema: answer.body } } }),
        ...(answer.headers && {
          headers: Object.fromEntries(Object.entries(answer.headers).map(([name, description]) => [name, { description, schema: { type: "string" } }])),
        }),
      },
    },
  } as ZodOpenApiOperationObject;
}

function commonErrors(token: Operation["token"]): ErrorCode[] {
  return [...(token ? COMMON_ERRORS.token : []), ...(token === "needed" ? COMMON_ERRORS.needed : []), ...COMMON_ERRORS.any];
}
