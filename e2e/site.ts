import { startServer, type TestServer } from "./server.ts";

export const OWNER = { email: "owner@example.com", password: "a long enough password", name: "Olive Owner", siteTitle: "Acme feedback" };

/** What the settings of such a site are, as far as the API changes them. */
export const SITE_SETTINGS = {
  title: OWNER.siteTitle,
  description: "",
  allowSignup: true,
  accentColor: "0f6b7c",
  requireConfirmedEmail: false,
  blockCommonPasswords: false,
};

/** A server that has been set up, and who owns it. */
export type TestSite = TestServer & { owner: typeof OWNER & { authToken: string } };

/** Starts a server and sets it up through the API. */
export async function startSite(options: Parameters<typeof startServer>[0] = {}): Promise<TestSite> {
  return setUpSite(await startServer(options));
}

/** Sets a server up through the API. */
export async function setUpSite(server: TestServer): Promise<TestSite> {
  const { user } = await callApi(server.url, "POST /auth/setup", { body: OWNER });
  return { ...server, owner: { ...OWNER, authToken: user.authToken } };
}

/**
 * Calls an operation, such as `POST /boards`, that is to succeed, and returns what it says.
 * @throws Error with what it said where it does not
 */
export async function callApi(url: string, operation: string, { body, token }: { body?: object; token?: string } = {}) {
  const [method, path] = operation.split(" ");
  const headers = { "content-type": "application/json", origin: url, ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}
