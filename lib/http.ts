import { createHash } from "node:crypto";
import { sessionCookie, type Viewer, viewerOfAuthorization, viewerOfCookie } from "./auth.ts";
import { corsHeaders, crossSiteProblem, SAFE_METHODS } from "./cross-site.ts";
import { isUnavailable } from "./db.ts";
import { env } from "./env.ts";
import { AppError, FAILED_MESSAGE } from "./errors.ts";
import { namesEtag } from "./etag.ts";
import { knownError, logFailure } from "./failures.ts";
import { countRequest, countUnidentified, placeOf } from "./rate-limits.ts";
import { API_BODY_BYTES, FRONT_HEADERS, readCookie, type Visit, visitOf } from "./visit.ts";

/** What a handler gets beside the request: who asks, from where, what a write sent, and the values in the path. */
export type RouteContext<Params> = { viewer: Viewer; visit: Visit; body: Record<string, unknown>; params: Params };
type Handler<Params> = (request: Request, context: RouteContext<Params>) => Promise<Response> | Response;
type NextContext<Params> = { params: Promise<Params> };
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** What a path answers each method with; `ANY` is for one that answers all of them alike. */
type Handlers<Params> = Partial<Record<Method | "ANY", Handler<Params>>>;
type EndpointOptions = {
  /** The Authorization header is not looked at: signing in with an old token at hand must work. */
  ignoresToken?: boolean;
  /** A write's body is not looked at: nothing here could be done with it. */
  ignoresBody?: boolean;
  /** Nobody is looked up: the answer is the same for everyone, and is given without the database, too. */
  ignoresCaller?: boolean;
};

/**
 * The handlers of one path, for `export const { GET, … } = endpoint({ GET: … })`. Finds the viewer (401), refuses writes from other sites (403) and in other
 * media types (415), counts what is asked of the API (429), reads a write's body (400, 413), and turns whatever is thrown into `{ message, code }`. Methods
 * without a handler answer 405 with `Allow`. Each answer says which sites may read it, and unless the handler did, that nobody may keep it.
 */
export function endpoint<Params = object>(
  handlers: Handlers<Params>,
  { ignoresToken = false, ignoresBody = false, ignoresCaller = false }: EndpointOptions = {},
) {
  const allow = handlers.ANY
    ? "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    : [...Object.keys(handlers), ...(handlers.GET ? ["HEAD"] : []), "OPTIONS"].join(", ");

  function handlerFor(method: string): Handler<Params> {
    const handler = handlers.ANY ?? handlers[(method === "HEAD" ? "GET" : method) as Method];
    if (!handler) throw new AppError("METHOD_NOT_ALLOWED", `This address allows ${allow}.`);
    return handler;
  }

  async function answer(request: Request, context: NextContext<Params>): Promise<Response> {
    const method = request.headers.get(FRONT_HEADERS.method) ?? request.method;
    try {
      if (method === "OPTIONS" && !handlers.ANY) return new Response(null, { status: 204, headers: { Allow: allow } });
      const handler = handlerFor(method);
      const hasBody = !ignoresBody && !SAFE_METHODS.includes(method);
      if (hasBody) checkMediaType(request);
      const { viewer, visit } = ignoresCaller ? { viewer: null, visit: visitOf(request.headers) } : await identifyWithinLimit(request, ignoresToken);
      const body = hasBody ? await readJson(request) : {};
      return await handler(request, { viewer, visit, body, params: await context.params });
    } catch (error) {
      const response = errorResponse(error, request);
      if (response.status === 405) response.headers.set("Allow", allow);
      return response;
    }
  }

  const route = async (request: Request, context: NextContext<Params>) => withCommonHeaders(request, allow, await answer(request, context));
  return { GET: route, HEAD: route, POST: route, PUT: route, PATCH: route, DELETE: route, OPTIONS: route };
}

/** The query's parameters. Of one that is given twice the last counts. */
export function readQuery(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}

/** Answers a GET with `body`, or 304 when the caller's `If-None-Match` already has it. */
export function cacheableJson(request: Request, viewer: Viewer, body: unknown, headers: Record<string, string> = {}): Response {
  return cacheable(request, viewer, JSON.stringify(body), { ...headers, "Content-Type": "application/json" });
}

/** The same for a body of any type, which `headers` name. Without a `Cache-Control` of its own it is asked for anew each time, and kept by nobody where it is made for somebody. */
export function cacheable(request: Request, viewer: Viewer, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Response {
  const version = createHash("sha256").update(body).update(JSON.stringify(headers)).digest("base64url").slice(0, 27);
  const all = versionHeaders(viewer, version, headers);
  return notModified(request, all) ?? new Response(body, { headers: all });
}

/** The same for a body that `version` names: `make` is called for who does not have it yet, and says of what type it is. */
export async function cacheableAs(
  request: Request,
  viewer: Viewer,
  { version, make }: { version: string; make: () => Promise<{ bytes: string | Uint8Array<ArrayBuffer>; type: string }> },
  headers: Record<string, string> = {},
): Promise<Response> {
  const all = versionHeaders(viewer, version, headers);
  const known = notModified(request, all);
  if (known) return known;
  const { bytes, type } = await make();
  return new Response(bytes, { headers: { ...all, "Content-Type": type } });
}

/** `{ message, code }` for whatever was thrown. What is no known failure is logged under the request's id and says nothing. */
export function errorResponse(error: unknown, request: Request): Response {
  const known = knownError(error);
  const headers: Record<string, string> = { "Cache-Control": "no-store" };
  logFailure(error, { requestId: request.headers.get(FRONT_HEADERS.requestId), what: "request failed" });
  if (known?.retryAfterSeconds) headers["Retry-After"] = String(known.retryAfterSeconds);
  if (known?.code === "UNAUTHENTICATED") headers["WWW-Authenticate"] = 'Bearer realm="Heard"';
  if (known?.code === "INVALID_TOKEN" && known.status === 401) headers["WWW-Authenticate"] = 'Bearer realm="Heard", error="invalid_token"';
  // What is left of a body that is too large is not read: the connection ends with the answer.
  if (known?.code === "PAYLOAD_TOO_LARGE") headers.Connection = "close";
  const { code, message, status } = known ?? { code: "SERVER_ERROR", message: FAILED_MESSAGE, status: 500 };
  return Response.json({ message, code }, { status, headers });
}

/** Who asks, as long as they do not ask too often. A wrong token counts as no token; who cannot be looked up just now is counted apart. */
async function identifyWithinLimit(request: Request, ignoresToken: boolean): Promise<{ viewer: Viewer; visit: Visit }> {
  if (!new URL(request.url).pathname.startsWith("/api/v1/")) return identify(request, ignoresToken);
  const place = placeOf(visitOf(request.headers).ip);
  const caller = identify(request, ignoresToken);
  const userId = await caller.then(
    ({ viewer }) => viewer?.userId,
    async (error: unknown) => {
      if (!isUnavailable(error)) return;
      await countUnidentified(place);
      throw error;
    },
  );
  await (userId ? countRequest("api-user", userId) : countRequest("api", place));
  return caller;
}

async function identify(request: Request, ignoresToken: boolean): Promise<{ viewer: Viewer; visit: Visit }> {
  const visit = visitOf(request.headers);
  const authorization = ignoresToken ? null : request.headers.get("authorization");
  if (authorization !== null) return { viewer: await viewerOfAuthorization(authorization), visit };
  const sealed = readCookie(request.headers.get("cookie"), sessionCookie(visit).name);
  if (sealed === undefined) return { viewer: null, visit };
  const problem = crossSiteProblem(request, visit);
  if (problem) throw new AppError("FORBIDDEN", problem);
  return { viewer: await viewerOfCookie(sealed), visit };
}

// On every write, also one without a body: a form on another site can send none but three types, and this is not one of them.
function checkMediaType(request: Request): void {
  const given = request.headers.get("content-type");
  if (given === null || /^application\/json[ \t]*(;|$)/i.test(given)) return;
  const [type = ""] = given.split(";", 1);
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send the body as application/json, not as ${type.trim().slice(0, 60) || "nothing"}.`);
}

/**
 * The body of `request` as an object. No body is `{}`.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_JSON
 */
async function readJson(request: Request): Promise<Record<string, unknown>> {
  refuseUntypedFromElsewhere(request);
  const body = await readBody(request);
  if (body.trim() === "") return {};
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidJson();
  return value as Record<string, unknown>;
}

/**
 * A script on another site's page can send a body without a type and without asking first. Browsers say where such a page is: in `Sec-Fetch-Site`, to a site on plain
 * http by `Origin` alone. Programs may leave the type out, and say by `Origin` for which site they call; every browser calls itself Mozilla, few programs do.
 */
function refuseUntypedFromElsewhere({ headers }: Request): void {
  const origin = headers.get("origin");
  const isPage = headers.get("user-agent")?.startsWith("Mozilla/") ?? false;
  const isHome = origin === null || hostOf(origin) === hostOf(visitOf(headers).ownOrigin);
  const site = headers.get("sec-fetch-site") ?? (isPage && !isHome ? "cross-site" : "none");
  const isOwn = site === "same-origin" || site === "none" || env().ALLOWED_ORIGINS.includes(origin ?? "");
  if (!isOwn && !headers.has("content-type")) throw new AppError("UNSUPPORTED_MEDIA_TYPE", "From a page of another site, send the body as application/json.");
}

/** Without the scheme, of which a server behind a proxy may know nothing. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

const BROKE_OFF = ["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"];

/** Whether reading a body failed with `error` because its sender left, or was refused midway: nobody reads what is answered, and it is no failure of ours. */
export function isBrokenOff(error: unknown): boolean {
  return BROKE_OFF.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

async function readBody(request: Request): Promise<string> {
  const tooLarge = new AppError("PAYLOAD_TOO_LARGE", "The body may have at most 1 MiB.");
  if (Number(request.headers.get("content-length") ?? 0) > API_BODY_BYTES) throw tooLarge;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > API_BODY_BYTES) throw tooLarge;
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError || isBrokenOff(error)) throw invalidJson();
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

function invalidJson(): AppError {
  return new AppError("INVALID_JSON", "The body must be a JSON object.");
}

/** What is made for somebody lies nowhere, in a browser's own cache neither; a program that asks again may name what it has all the same. */
function versionHeaders(viewer: Viewer, version: string, headers: Record<string, string>): Record<string, string> & { ETag: string } {
  return { "Cache-Control": viewer ? "private, no-store" : "no-cache", ...headers, ETag: `"${version}"` };
}

/** 304 where the caller's `If-None-Match` names what `headers` do. */
function notModified(request: Request, headers: Record<string, string> & { ETag: string }): Response | null {
  if (!namesEtag(request.headers.get("if-none-match"), headers.ETag)) return null;
  const { "Content-Type": _type, ...withoutType } = headers;
  return new Response(null, { status: 304, headers: withoutType });
}

function withCommonHeaders(request: Request, allow: string, response: Response): Response {
  for (const [name, value] of corsHeaders(request, allow)) response.headers.set(name, value);
  response.headers.append("Vary", "Origin, Cookie, Authorization");
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}
