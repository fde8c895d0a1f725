import NextAuth, { type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { findViewer, SESSION_MAX_MS, sessionCookie } from "#lib/auth";
import { setNextAuthUrl } from "#lib/env";
import { authSecret } from "#lib/secrets";
import { type Visit, visitOf } from "#lib/visit";
import { logIn } from "#server/login";
import { logOut } from "#server/sessions";
import { siteUrl } from "#server/settings";

type Context = { params: Promise<{ nextauth: string[] }> };

/** next-auth's own addresses, for clients that know them. The sealed cookie carries our token and nothing else; whether it lives is looked up. */
async function handle(request: Request, context: Context): Promise<Response> {
  const visit = visitOf(request.headers);
  const [secret, site] = await Promise.all([authSecret(), siteUrl(visit)]);
  setNextAuthUrl(site);
  return NextAuth(request as never, context as never, nextAuthOptions(visit, secret));
}

function nextAuthOptions(visit: Visit, secret: string): NextAuthOptions {
  const cookie = sessionCookie(visit.ownOrigin);
  return {
    secret,
    session: { strategy: "jwt", maxAge: SESSION_MAX_MS / 1000 },
    pages: { signIn: "/login", signOut: "/", error: "/login" },
    cookies: { sessionToken: { name: cookie.name, options: cookie.options } },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: async (credentials) => {
          const user = await logIn(visit, credentials);
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

export { handle as GET, handle as POST };
