import { cookies } from "next/headers";
import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { findViewer, SESSION_MAX_MS, sessionCookie } from "#lib/auth";
import { crossSiteProblem } from "#lib/cross-site";
import { setNextAuthUrl } from "#lib/env";
import { AppError } from "#lib/errors";
import { knownError } from "#lib/failures";
import { endpoint, isBrokenOff, type RouteContext } from "#lib/http";
import { log } from "#lib/log";
import { authSecret } from "#lib/secrets";
import type { Visit } from "#lib/visit";
import { logIn } from "#server/login";
import { logOut } from "#server/sessions";
import { siteUrl } from "#server/settings";

type Params = { nextauth: string[] };

// What signing in and out by next-auth's client takes; its mail, logging and error pages are not ours.
const ACTIONS = ["providers", "csrf", "session", "signin", "callback", "signout"];

/** An address, a password, a token and where to go on need no more. */
const MAX_BODY_BYTES = 16 * 1024;

/** What next-auth calls its cookie, by HTTP and by HTTPS. */
const CALLBACK_URL_COOKIES = ["next-auth.callback-url", "__Secure-next-auth.callback-url"];

async function handle(request: Request, { visit, params }: RouteContext<Params>): Promise<Response> {
  const [action = ""] = params.nextauth;
  if (!ACTIONS.includes(action)) throw new AppError("NOT_FOUND", "There is nothing at this address.");
  // next-auth would answer it with 500.
  if (request.method === "GET" && action === "callback") throw new AppError("NOT_FOUND", "There is nothing to read at this address.");
  // Also of who has no session yet: a page on another port of this host could plant next-auth's own token, and sign somebody in as another.
  const problem = crossSiteProblem(request, visit);
  if (problem) throw new AppError("FORBIDDEN", problem);
  const fields = request.method === "POST" ? await readFields(request) : {};
  await refuseUnfitCallbackUrl(request, fields);
  const [secret, site] = await Promise.all([authSecret(), siteUrl(visit)]);
  setNextAuthUrl(site);
  const failures: unknown[] = [];
  const answer: Response = await NextAuth(request as never, { params: Promise.resolve(params) } as never, nextAuthOptions({ visit, secret, failures }));
  // It takes what fails in there for a forged cookie or a wrong password, and answers as if the rest were done.
  if (failures.length > 0) throw failures[0];
  return answer;
}

/** next-auth would read any body, a form in a time that grows with the square of its fields' number, and answer what it cannot use with 500. */
async function readFields(request: Request): Promise<Record<string, unknown>> {
  const body = await readText(request.clone()).catch((error: unknown) => {
    throw isBrokenOff(error) ? new AppError("INVALID_JSON", "The body broke off.") : error;
  });
  const isJson = request.headers.get("content-type")?.includes("application/json");
  const fields = isJson ? parseFields(body) : Object.fromEntries(new URLSearchParams(body));
  if (!fields) throw new AppError("INVALID_JSON", "The body must be a JSON object, its callbackUrl a text.");
  return fields;
}

/** Where to go on is told in three places, and next-auth answers what it cannot lead to with 500. */
async function refuseUnfitCallbackUrl({ url }: Request, fields: Record<string, unknown>): Promise<void> {
  const inQuery = new URL(url).searchParams.getAll("callbackUrl");
  const kept = await cookies();
  const inCookies = CALLBACK_URL_COOKIES.map((name) => kept.get(name)?.value);
  for (const address of [fields.callbackUrl, ...inQuery, ...inCookies])
    if (address && !isAddress(String(address))) throw new AppError("VALIDATION_ERROR", "callbackUrl must be an address, encoded as in a browser's bar.");
}

/** Whether it may be led to: it ends up in a header. */
function isAddress(text: string): boolean {
  return /^(\/|https?:\/\/)[!-~]*$/.test(text) && URL.canParse(text, "http://localhost");
}

async function readText(request: Request): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Not by `for await`: ending that waits for whoever else reads the body, and nobody does.
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    bytes += read.value.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new AppError("PAYLOAD_TOO_LARGE", "The body may have at most 16 KiB.");
    pieces.push(read.value);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

function parseFields(text: string): Record<string, unknown> | null {
  try {
    return z.looseObject({ callbackUrl: z.string().optional() }).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What next-auth is to go by. Failures that are not the caller's are added to `failures`. */
function nextAuthOptions({ visit, secret, failures }: { visit: Visit; secret: string; failures: unknown[] }): NextAuthOptions {
  const cookie = sessionCookie(visit);
  // It writes the thrown words into the address that it leads to: a code may stand there, what an unforeseen error says may not.
  const coded = <Result>(asking: Promise<Result>) =>
    asking.catch((error: unknown): never => {
      const known = knownError(error);
      if (!known || known.status >= 500) failures.push(error);
      throw new Error(known?.code ?? "SERVER_ERROR");
    });
  return {
    secret,
    // Its own words quote what it was sent. It keeps one logger for all requests, so none of them can be named here.
    logger: { error: (code) => log.warn({ code }, "next-auth could not do what it was asked"), warn() {}, debug() {} },
    session: { strategy: "jwt", maxAge: SESSION_MAX_MS / 1000 },
    pages: { signIn: "/login", signOut: "/", error: "/login" },
    cookies: { sessionToken: { name: cookie.name, options: cookie.options } },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (credentials) => {
          const user = await coded(logIn(visit, credentials));
          return { id: user.userId, token: user.authToken };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ token: user && "token" in user ? user.token : token.token }),
      session: async ({ session, token }) => {
        const viewer = await coded(findViewer(typeof token.token === "string" ? token.token : null));
        return { expires: viewer ? session.expires : new Date(0).toISOString(), user: viewer ? {} : undefined };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const viewer = await coded(findViewer(typeof token.token === "string" ? token.token : null));
        if (viewer) await coded(logOut(viewer));
      },
    },
  };
}

/** next-auth's own addresses, for clients that know them. The sealed cookie carries our token and nothing else; whether it lives is looked up. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<Params>({ GET: handle, POST: handle }, { ignoresToken: true, ignoresBody: true });
