import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { type Browser, openBrowser, signIn } from "../api/browser.ts";
import { apiOf, type Board, newEmail, PASSWORD } from "../api/client.ts";
import { loadContract } from "../api/contract.ts";
import { ADDRESSES, NOBODY_KNOWS } from "../api/doors.ts";
import { directivesOf, foreignSources, highFindings, nonceOf, observatoryScore } from "../api/policies.ts";
import { type Asking, ask, askByLine, askForParts, type Plain } from "../api/requests.ts";
import { startServer } from "../server.ts";
import { startSite, type TestSite } from "../site.ts";
import { writeRows } from "../stored.ts";

const NONCES = scale(100, 1000);
const HOST = "feedback.example.com";
const THROUGH_PROXY = { "x-forwarded-proto": "https", "x-forwarded-host": HOST };
const EVIL = "https://evil.example";
const CALLERS: Record<string, string>[] = [{}, { origin: EVIL }, { authorization: "Bearer dead" }, { "content-type": "text/plain" }];
const template = inject("databaseTemplate");

/** An answer, and what it was asked by. */
type Seen = Plain & { as: "stranger" | "member" | "owner"; isHttps: boolean; isAnonymous: boolean };

let site: TestSite;
let owner: Browser;
let member: Browser;
const seen: Seen[] = [];

beforeAll(async () => {
  site = await startSite({ template, env: { TRUSTED_PROXIES: "1", SITE_URL: `https://${HOST}`, SECURITY_CONTACT: "security@example.com" } });
  owner = await signIn(site.url, site.owner.email, site.owner.password, { headers: THROUGH_PROXY });
  const api = apiOf(site.url, { token: site.owner.authToken });
  const { board } = (await api.post("/boards", { name: "Headers" })).body;
  const email = newEmail();
  const { userId } = (await api.post("/auth/signup", { email, password: PASSWORD })).body.user;
  await api.close();
  member = await signIn(site.url, email, PASSWORD, { headers: THROUGH_PROXY });
  await visitSite(board, userId);
  await visitFreshAndBrokenSites();
}, 180_000);

afterAll(() => site?.remove());

/** Pages, files, the API and every refusal of a site that is set up, as it is reached over https. */
async function visitSite({ boardId, url }: Board, userId: string): Promise<void> {
  const ids: Record<string, string> = { "[slug]": url, "[userId]": userId, "[boardId]": String(boardId), "[icon]": "180.png", "[page]": "1.xml" };
  const addresses = Object.keys(ADDRESSES).map((address) => address.replaceAll(/\[+[^\]]+\]+/g, (name) => ids[name] ?? NOBODY_KNOWS));
  const front = ["/", `/boards/${url}`, "/search?q=x", "/login", "/signup", "/reset-password?token=x", "/confirm-address?token=x", "/api/v1/docs"];
  const nowhere = ["/nowhere", "/boards/nothing", "/boards/%00", "/%zz", "/_next/static/nothing.js", "/_next/nothing", "/images/x", "/avatars/x", "/icons/x"];
  const more = ["/api", "/api/auth/signin", "/api/auth/session", "/api/auth/csrf", "/favicon.ico", "/icon.svg", "/icons/maskable.png", "/find?q=x"];
  for (const path of [...addresses, ...front, ...nowhere, ...more, "/_next/image?url=%2Ficon.svg&w=64&q=75"]) await look(path);
  for (const path of (await look("/")).text.match(/\/_next\/static\/[\w./-]+\.(js|css|woff2)/g)?.slice(0, 8) ?? []) await look(path);
  for (const path of front) note(await askForParts(site.url, path, { headers: THROUGH_PROXY }), { isHttps: true });
  for (const path of addresses) await look(path, {}, "owner");
  const [letter = ""] = /\/dashboard\/outbox\/[\w-]{36}/.exec((await look("/dashboard/outbox", {}, "owner")).text) ?? [];
  for (const path of [letter, `${letter}/letter`]) await look(path, {}, "owner");
  for (const path of ["/", "/me", "/dashboard"]) await look(path, {}, "member");
  const { operations } = await loadContract(site.url);
  for (const { method, path } of operations) {
    for (const headers of CALLERS) await look(`/api/v1${path}`, { method, headers, body: method === "GET" ? undefined : "{" });
    await look(`/api/v1${path}`, { method: "OPTIONS", headers: { origin: EVIL, "access-control-request-method": method } });
    await look(`/api/v1${path}`, { method: "PROPFIND" });
  }
  for (const [path, asking] of [
    ["/login", { method: "POST", headers: { "next-action": "x" } }],
    ["/login", { method: "POST", body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["/", { method: "PUT" }],
    ["/", { method: "HEAD" }],
  ] as const)
    await look(path, asking);
  const large = "Content-Length: 12000000\r\nX-Forwarded-Proto: https";
  const tooLarge = [`POST /api/v1/auth/login HTTP/1.1\r\n${large}`, `POST /login HTTP/1.1\r\n${large}\r\nNext-Action: x`];
  for (const line of [...tooLarge, "NONSENSE / HTTP/1.1", `GET /${"x".repeat(20_000)} HTTP/1.1`, "GET / HTTP/9.9"])
    note(await askByLine(site.url, line), { isHttps: true });
}

/** The set-up, and what a site says whose tables are not as they should be: reached over plain http. */
async function visitFreshAndBrokenSites(): Promise<void> {
  const fresh = await startServer({ template });
  for (const path of ["/", "/setup", "/login", "/api/v1/boards"]) note(await ask(fresh.url, path), {});
  await fresh.stop();
  await writeRows(fresh, 'ALTER TABLE "SiteSettings" RENAME COLUMN title TO heading');
  const broken = await startServer({ from: fresh });
  for (const path of ["/", "/setup", "/login", "/api/v1/boards"]) note(await ask(broken.url, path), {});
  await broken.remove();
}

async function look(path: string, { headers, ...asking }: Asking = {}, as: Seen["as"] = "stranger"): Promise<Plain> {
  const cookie = { stranger: "", member: member.cookie(), owner: owner.cookie() }[as];
  const answer = await ask(site.url, path, { ...asking, headers: { ...THROUGH_PROXY, ...(cookie && { cookie }), ...headers } });
  note(answer, { as, isHttps: true, isAnonymous: as === "stranger" && !headers?.authorization });
  return answer;
}

function note(answer: Plain, circumstances: Partial<Pick<Seen, "as" | "isHttps" | "isAnonymous">>): void {
  seen.push({ as: "stranger", isHttps: false, isAnonymous: true, ...circumstances, ...answer });
}

const isHtml = ({ headers }: Plain) => headers["content-type"]?.startsWith("text/html") ?? false;

/** What is wrong with each of `answers`, with what it was asked by before it. */
function faultsOf<Answer extends Plain>(answers: Answer[], find: (answer: Answer) => string[]): string[] {
  return answers.flatMap((answer) => find(answer).map((fault) => `${answer.method} ${answer.path} ${answer.status}: ${fault}`));
}

function report(bar: string, measure: string, figure: string | number, ok: boolean): void {
  reportBar({ bar, measure, figure, ok });
}

test("every kind of answer is among those that were looked at", () => {
  const statuses = new Set(seen.map(({ status }) => status));
  for (const status of [200, 204, 302, 307, 400, 401, 403, 404, 405, 413, 415, 431, 500]) expect(statuses).toContain(status);
  const types = new Set(seen.map(({ headers }) => headers["content-type"]?.split(";")[0]));
  for (const type of ["text/html", "text/x-component", "application/json", "image/png", "application/atom+xml", "text/css", "text/plain"])
    expect(types).toContain(type);
  const pages = new Set(seen.filter(isHtml).map(({ status }) => status));
  for (const status of [200, 403, 404, 500]) expect(pages).toContain(status);
});

test("H1: the MDN Observatory would give it an A+", async () => {
  const { score, modifiers } = observatoryScore(await ask(site.url, "/", { headers: THROUGH_PROXY }));

  report("H1", "score by the MDN Observatory's published modifiers; 100 is A+", score, score >= 100);
  expect(score, JSON.stringify(modifiers)).toBeGreaterThanOrEqual(100);
});

describe("H2: every page has a policy", () => {
  test("under which no script runs but the site's own", () => {
    const pages = seen.filter(isHtml);
    const faults = faultsOf(pages, (page) => [...highFindings(page.headers["content-security-policy"] ?? ""), ...scriptFaults(page)]);

    report("H2", `faults in the policies and scripts of ${pages.length} HTML answers`, faults.length, faults.length === 0);
    expect(faults).toEqual([]);
  });

  test("under which no other site is loaded from, sent to or connected to", () => {
    const faults = faultsOf(seen, ({ headers }) => foreignSources(headers["content-security-policy"] ?? ""));

    report("H2", `sources in the policies of ${seen.length} answers that are not the site's own`, faults.length, faults.length === 0);
    expect(faults).toEqual([]);
  });

  test("whose nonce is never used again", async () => {
    const pages: Plain[] = [];
    // The first is made each time, the second is kept.
    while (pages.length < NONCES) pages.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => ask(site.url, index % 2 === 0 ? "/login" : "/")))));
    const nonces = pages.map(nonceOf);

    const distinct = new Set(nonces).size;
    const faults = pages.flatMap((page) => (page.text.includes("<script") ? scriptFaults(page) : ["a page without a script"]));
    report("H2", `distinct nonces of ${NONCES} pages`, distinct, distinct === NONCES && faults.length === 0);
    expect(distinct).toBe(NONCES);
    expect(faults).toEqual([]);
    for (const nonce of nonces) expect(Buffer.from(nonce, "base64").length).toBe(16);
  });
});

/** Scripts that the policy's nonce does not allow, and what runs without a script element. */
function scriptFaults(page: Plain): string[] {
  const nonce = nonceOf(page);
  const scripts = page.text.match(/<script[^>]*>/g) ?? [];
  const without = scripts.filter((script) => !(nonce && script.includes(`nonce="${nonce}"`)));
  const handlers = page.text.replace(/<script[\s\S]*?<\/script>/g, "").match(/<[^>]+\s(?:on[a-z]+="|style=")[^"]*"|href="javascript:/g) ?? [];
  const isLetter = /\bsandbox\b(?!.*allow-scripts)/.test(page.headers["content-security-policy"] ?? "");
  return [...without, ...(isLetter ? [] : handlers)];
}

test("H3: a policy or a nonce that a client sends is believed by nobody", async () => {
  const forged = "script-src 'nonce-Zm9yZ2VkZm9yZ2VkZm9yZ2Vk' 'unsafe-inline'";
  const names = ["content-security-policy", "content-security-policy-report-only", "Content-Security-Policy", "x-nonce", "x-csp-nonce"];
  const attempts = names.map((name) => ({ [name]: name.endsWith("nonce") ? "Zm9yZ2VkZm9yZ2VkZm9yZ2Vk" : forged }));
  let believed = 0;

  for (const path of ["/", "/nowhere", "/api/v1/boards"])
    for (const headers of [...attempts, Object.assign({}, ...attempts)]) {
      const answer = await ask(site.url, path, { headers });
      if (`${JSON.stringify(answer.headers)}${answer.text}`.includes("Zm9yZ2Vk") || (isHtml(answer) && scriptFaults(answer).length > 0)) believed += 1;
    }

  report("H3", `forged policies and nonces that were believed, of ${(attempts.length + 1) * 3}`, believed, believed === 0);
  expect(believed).toBe(0);
});

test("H4: every answer, whatever it is, carries the headers that keep browsers from guessing, framing and telling", () => {
  const faults = faultsOf(seen, ({ headers, isHttps }) => {
    const type = headers["content-type"] ?? "";
    const ancestors = directivesOf(headers["content-security-policy"] ?? "")["frame-ancestors"]?.join();
    const wanted: [string, boolean][] = [
      ["nosniff", headers["x-content-type-options"] === "nosniff"],
      ["frame-ancestors", ancestors === "'none'" || ancestors === "'self'"],
      ["one policy", !headers["content-security-policy"]?.includes(",")],
      ["charset of a page, a style or a script", !/^(text\/(html|css)|application\/javascript)/.test(type) || /charset=utf-8/i.test(type)],
      ["Referrer-Policy", headers["referrer-policy"] === "strict-origin-when-cross-origin"],
      ["COOP", headers["cross-origin-opener-policy"] === "same-origin"],
      ["CORP", ["same-origin", "cross-origin"].includes(headers["cross-origin-resource-policy"] ?? "")],
      ["Permissions-Policy", headers["permissions-policy"]?.includes("camera=()") ?? false],
      ["HSTS over https and only there", Number(/^max-age=(\d+)/.exec(headers["strict-transport-security"] ?? "")?.[1]) >= 31_536_000 === isHttps],
      ["no name of the software", !headers["x-powered-by"] && !headers.server],
      ["X-Request-Id", /^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? "")],
    ];
    return wanted.filter(([, isThere]) => !isThere).map(([name]) => name);
  });
  const shared = seen.filter(({ headers }) => headers["cross-origin-resource-policy"] === "cross-origin");

  report("H4", `security headers missing in ${seen.length} answers`, faults.length, faults.length === 0);
  expect(faults).toEqual([]);
  expect(shared.filter(({ headers }) => !headers["content-type"]?.startsWith("image/"))).toEqual([]);
});

test("H5: cookies are the host's alone, out of scripts' reach, and set for who needs them", async () => {
  const [newcomer, browser] = [openBrowser(site.url, { headers: THROUGH_PROXY }), openBrowser(site.url, { headers: THROUGH_PROXY })];
  await newcomer.submit("/signup", { email: newEmail(), password: PASSWORD });
  await browser.submit("/login", { email: site.owner.email, password: site.owner.password });
  await browser.submit("/", { theme: "dark" });
  await browser.submit("/", { locale: "de" });
  await browser.signOut();
  const setCookies = [...newcomer.setCookies, ...browser.setCookies];
  const unneeded = seen.filter(({ as, path, cookies }) => as === "stranger" && cookies.length > 0 && !path.startsWith("/api/auth/"));
  const names = new Set(setCookies.map((cookie) => cookie.split("=")[0]));
  const loose = setCookies.filter((cookie) => !isTight(cookie));

  report(
    "H5",
    `cookies of ${names.size} that are not tight; answers to strangers that set one`,
    `${loose.length}; ${unneeded.length}`,
    loose.length + unneeded.length === 0,
  );
  expect(names).toEqual(
    new Set([
      "__Host-heard.session",
      "__Host-heard.device",
      "heard-theme",
      "heard-locale",
      "heard-shortcuts",
      "__Host-next-auth.csrf-token",
      "__Secure-next-auth.callback-url",
    ]),
  );
  expect(loose).toEqual([]);
  expect(unneeded.map(({ path }) => path)).toEqual([]);
});

function isTight(cookie: string): boolean {
  const attributes = cookie
    .split(/;\s*/)
    .slice(1)
    .map((attribute) => attribute.toLowerCase());
  return (
    ["secure", "httponly", "samesite=lax", "path=/"].every((wanted) => attributes.includes(wanted)) && !attributes.some((name) => name.startsWith("domain"))
  );
}

test("H6: scripts of other sites read what anybody may GET, and nothing with credentials", () => {
  const readable = seen.filter(({ headers }) => headers["access-control-allow-origin"] !== undefined);
  const faults = faultsOf(readable, ({ method, headers, isAnonymous }) => {
    const wanted: [string, boolean][] = [
      ["names an origin", headers["access-control-allow-origin"] === "*"],
      ["was made for somebody", isAnonymous],
      ["allows credentials", !headers["access-control-allow-credentials"]],
      ["answers a write", ["GET", "HEAD", "OPTIONS"].includes(method)],
      ["allows a write", (headers["access-control-allow-methods"] ?? "GET, HEAD") === "GET, HEAD"],
      ["is a page", !/^text\/(html|x-component)/.test(headers["content-type"] ?? "")],
    ];
    return wanted.filter(([, isFine]) => !isFine).map(([fault]) => fault);
  });

  report("H6", `answers to other sites' scripts, of ${readable.length} there are, that are not for everybody`, faults.length, faults.length === 0);
  expect(readable.length).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});

describe("/.well-known/security.txt", () => {
  test("names the contact and an end that is near enough (RFC 9116)", async () => {
    const { status, headers, text } = await ask(site.url, "/.well-known/security.txt");
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? "");

    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^Contact: mailto:security@example\.com$/m);
    expect(text).toMatch(/^Canonical: https:\/\/feedback\.example\.com\/\.well-known\/security\.txt$/m);
    expect(expires - Date.now()).toBeGreaterThan(90 * 86_400_000);
    expect(expires - Date.now()).toBeLessThan(365 * 86_400_000);
  });

  test("is not there where the site names no contact", async () => {
    expect((await ask(inject("site").url, "/.well-known/security.txt")).status).toBe(404);
  });
});
