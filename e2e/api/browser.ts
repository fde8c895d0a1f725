import { expect } from "vitest";

/** A browser as far as cookies and forms go. */
export type Browser = {
  /** Its Cookie header. */
  cookie(): string;
  /** The value of the session cookie; undefined when it has none. */
  sessionCookie(): string | undefined;
  /** Every Set-Cookie header that it has got, as it came. */
  setCookies: string[];
  /** Gives it a cookie, as another site of the same host can. */
  plant(name: string, value: string): void;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The server action of the form at `path` that has these fields, as React names it in the header `next-action`. */
  actionOf(path: string, names: string[]): Promise<string>;
  /** Fills the form at `path` that has these fields, the page's first where there are none. What it returns sends it. */
  fill(path: string, fields: Record<string, string>): Promise<() => Promise<Response>>;
  /** Fills it and sends it at once; with a session cookie that was `planted` while it was filled. */
  submit(path: string, fields: Record<string, string>, planted?: string): Promise<Response>;
  /** The same, as React sends it where JavaScript runs. */
  call(path: string, fields: Record<string, string>): Promise<Response>;
  /** Gets what a form to one of next-auth's own addresses needs besides; what it returns sends that form. */
  fillNextAuth(path: string, fields: Record<string, string>): Promise<() => Promise<Response>>;
  /** Signs in through next-auth's own addresses. */
  signIn(email: string, password: string, callbackUrl?: string): Promise<Response>;
  signOut(callbackUrl?: string): Promise<Response>;
};

const SESSION_COOKIE = /^(__Host-)?heard\.session$/;

type BrowserOptions = {
  /** Sent with every request, as a proxy in front would. */
  headers?: Record<string, string>;
  /** The session cookie that it holds before anybody has signed in. */
  planted?: string;
};

/** Opens the site at `url`, where nobody is signed in. */
export function openBrowser(url: string, { headers = {}, planted }: BrowserOptions = {}): Browser {
  const jar = new Map<string, string>(planted ? [["heard.session", planted]] : []);
  const setCookies: string[] = [];
  const origin = headers["x-forwarded-host"] ? `${headers["x-forwarded-proto"]}://${headers["x-forwarded-host"]}` : url;
  const ownForm = { origin, "sec-fetch-site": "same-origin" };

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { ...headers, cookie: cookie(), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  function keep(line: string): void {
    setCookies.push(line);
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }

  function cookie(): string {
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async function fill(path: string, fields: Record<string, string>): Promise<() => Promise<Response>> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...hiddenFields(await (await request(path)).text(), Object.keys(fields)), ...fields })) body.set(name, value);
    return () => request(path, { method: "POST", body, headers: { ...ownForm, referer: `${origin}${path}` } });
  }

  async function actionOf(path: string, names: string[]): Promise<string> {
    const hidden = hiddenFields(await (await request(path)).text(), names);
    const [reference = ""] = Object.entries(hidden).flatMap(([name, value]) => (/^\$ACTION_\d+:0$/.test(name) ? [value] : []));
    return (JSON.parse(reference) as { id: string }).id;
  }

  async function fillNextAuth(path: string, fields: Record<string, string>): Promise<() => Promise<Response>> {
    const { csrfToken } = (await (await request("/api/auth/csrf")).json()) as { csrfToken: string };
    const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
    return () => request(path, { method: "POST", body, headers: { ...ownForm, "content-type": "application/x-www-form-urlencoded" } });
  }

  return {
    cookie,
    setCookies,
    sessionCookie: () => [...jar].find(([name]) => SESSION_COOKIE.test(name))?.[1],
    plant: (name, value) => void jar.set(name, value),
    fetch: request,
    fill,
    async submit(path, fields, planted) {
      const send = await fill(path, fields);
      if (planted) jar.set("heard.session", planted);
      return send();
    },
    actionOf,
    async call(path, fields) {
      const action = await actionOf(path, Object.keys(fields));
      const body = new FormData();
      // The action's two arguments: the form's state, and what is in it.
      for (const [name, value] of Object.entries(fields)) body.set(`_1_${name}`, value);
      body.set("0", '[{},"$K1"]');
      const headers = { ...ownForm, accept: "text/x-component", "next-action": action };
      return request(path, { method: "POST", body, headers });
    },
    fillNextAuth,
    signIn: async (email, password, callbackUrl = url) => (await fillNextAuth("/api/auth/callback/credentials", { email, password, callbackUrl }))(),
    signOut: async (callbackUrl = url) => (await fillNextAuth("/api/auth/signout", { callbackUrl }))(),
  };
}

/** A browser that has signed in through next-auth's own addresses. With a wrong password it comes back without a session. */
export async function signIn(url: string, email: string, password: string, options?: BrowserOptions): Promise<Browser> {
  const browser = openBrowser(url, options);
  expect((await browser.signIn(email, password)).status).toBeLessThan(500);
  return browser;
}

/** What the form with these fields sends besides. */
function hiddenFields(html: string, names: string[]): Record<string, string> {
  const forms = [...html.matchAll(/<form[\s>][\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((candidate) => names.every((name) => candidate.includes(`name="${name}"`)));
  if (!form) throw new Error(`No form with the fields ${names.join(", ")} is there`);
  const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [attribute(input, "name"), attribute(input, "value")] as const);
  return Object.fromEntries(hidden);
}

function attribute(tag: string, name: string): string {
  const [, value = ""] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
