import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { findViewer, SESSION_MAX_MS, sessionCookie } from "#lib/auth";
import { setNextAuthUrl } from "#lib/env";
import { AppError } from "#lib/errors";
import { endpoint, knownError, type RouteContext } from "#lib/http";
import { log } from "#lib/log";
import { authSecret } from "#lib/secrets";
import type { Visit } from "#lib/visit";
import { logIn } from "#server/login";
import { logOut } from "#server/sessions";
import { siteUrl } from "#server/settings";

type Params = { nextauth: string[] };

// What signing in and out by next-auth's client takes; its mail, logging and error pages are not ours.
const ACTIONS = ["providers", "csrf", "session", "signin", "callback", "signout"];

async function handle(request: Request, { visit, params }: RouteContext<Params>): Promise<Response> {
  const [action = ""] = params.nextauth;
  if (!ACTIONS.includes(action)) throw new AppError("NOT_FOUND", "There is nothing at this address.");
  // next-auth would answer both with 500.
  if (request.method === "GET" && action === "callback") throw new AppError("NOT_FOUND", "There is nothing to read at this address.");
  if (request.method === "POST") await refuseBrokenJson(request);
  const [secret, site] = await Promise.all([authSecret(), siteUrl(visit)]);
  setNextAuthUrl(site);
  return NextAuth(request as never, { params: Promise.resolve(params) } as never, nextAuthOptions(visit, secret));
}

async function refuseBrokenJson(request: Request): Promise<void> {
  if (!request.headers.get("content-type")?.includes("application/json")) return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== "object" || body === null) throw new AppError("INVALID_JSON", "The body must be a JSON object.");
}

function nextAuthOptions(visit: Visit, secret: string): NextAuthOptions {
  const cookie = sessionCookie(visit);
  return {
    secret,
    session: { strategy: "jwt", maxAge: SESSION_MAX_MS / 1000 },
    pages: { signIn: "/login", signOut: "/", error: "/login" },
    cookies: { sessionToken: { name: cookie.name, options: cookie.options } },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (credentials) => {
          const user = await logIn(visit, credentials).catch(throwCode);
          return { id: user.userId, token: user.authToken };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ token: user && "token" in user ? user.token : token.token }),
      session: async ({ session, token }) => {
        const viewer = await findViewer(typeof token.token === "string" ? token.token : null);
        return { expires: viewer ? session.expires : new Date(0).toISOString(), user: viewer ? {} : undefined };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const viewer = await findViewer(typeof token.token === "string" ? token.token : null);
        if (viewer) await logOut(viewer);
      },
    },
  };
}

/** next-auth writes the thrown words into the address that it leads to: a code may stand there, what an unforeseen error says may not. */
function throwCode(error: unknown): never {
  const known = knownError(error);
  if (!known) log.error({ err: error }, "signing in through next-auth failed");
  throw new Error(known?.code ?? "SERVER_ERROR");
}

/** next-auth's own addresses, for clients that know them. The sealed cookie carries our token and nothing else; whether it lives is looked up. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint<Params>({ GET: handle, POST: handle }, { ignoresToken: true, ignoresBody: true });
