import { expect } from "vitest";

/** A browser as far as cookies go, signed in through next-auth's own addresses. */
export type Browser = {
  /** Its Cookie header. */
  cookie(): string;
  /** The value of the session cookie; undefined when it has none. */
  sessionCookie(): string | undefined;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  signOut(): Promise<Response>;
};

const SESSION_COOKIE = "heard.session";

/** Signs in at `/api/auth`: csrf, then callback/credentials; `planted` is the session cookie that it holds before. With a wrong password it comes back without a session. */
export async function signIn(url: string, email: string, password: string, planted?: string): Promise<Browser> {
  const jar = new Map<string, string>(planted ? [[SESSION_COOKIE, planted]] : []);

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${url}${path}`, { redirect: "manual", ...init, headers: { cookie: cookie(), ...(init.headers as Record<string, string>) } });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  function keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }

  function cookie(): string {
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async function post(path: string, fields: Record<string, string>): Promise<Response> {
    const { csrfToken } = (await (await request("/api/auth/csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
    return request(path, {
      method: "POST",
      body,
      headers: { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" },
    });
  }

  const answer = await post("/api/auth/callback/credentials", { email, password, callbackUrl: url });
  expect(answer.status).toBeLessThan(500);
  return { cookie, sessionCookie: () => jar.get(SESSION_COOKIE), fetch: request, signOut: () => post("/api/auth/signout", { callbackUrl: url }) };
}
