import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { METRICS_TOKEN } from "../process/figures.ts";
import { startSite, type TestSite } from "../site.ts";
import { type Browser, signIn } from "./browser.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";
import { loadContract } from "./contract.ts";
import { ACTIONS, ADDRESSES, actions, addresses, callAction, type Least, NOBODY_KNOWS, OPERATIONS, pathOf } from "./doors.ts";

/** Who asks. A blocked person, and one whose session has ended, hold cookies and tokens that were good once. */
const CALLERS = ["anonymous", "blocked", "ended", "member", "owner"] as const;
type Caller = (typeof CALLERS)[number];
/** What comes of it: to be let in (whatever else is wrong then), to be asked to sign in, or to be told that one may not. */
type Outcome = "in" | "sign in" | "forbidden";

/** What no one but the team may ever read. */
const CANARY = "Canary-board-of-the-team";

/** Operations that do not look at a token: signing in with an old one at hand must work. */
const WITHOUT_TOKEN = ["GET /auth/setup", "POST /auth/setup", "POST /auth/signup", "POST /auth/login"];

/** What opens for neither a stranger nor a member. */
const SHUT = [...Object.keys(ADDRESSES).filter((address) => ADDRESSES[address] === "owner"), "/boards/[slug]"];
const OUTSIDERS = ["anonymous", "member"] as const;
/** How an address looks that Next reads for itself. */
const DISGUISES: [string, (path: string) => [string, Record<string, string>]][] = [
  ["x-middleware-subrequest", (path) => [path, { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" }]],
  ["rsc", (path) => [`${path}?_rsc=x`, { rsc: "1" }]],
  ["prefetch", (path) => [`${path}?_rsc=x`, { rsc: "1", "next-router-prefetch": "1" }]],
  ["segment prefetch", (path) => [`${path}?_rsc=x`, { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" }]],
  ["segment file", (path) => [`${path}.segments/_tree.segment.rsc`, {}]],
  ["rsc file", (path) => [`${path}.rsc`, {}]],
  ["data file", (path) => [`/_next/data/build${path}.json`, { "x-nextjs-data": "1" }]],
  ["invoked path", (path) => ["/", { "x-invoke-path": path, "x-matched-path": path, "x-rewrite-url": path, "x-original-url": path }]],
];

let site: TestSite;
let api: Api;
let privateBoard: { boardId: string | null; url: string };
let ownerId: string;
const tokens = {} as Record<Caller, string | undefined>;
const emails = Object.fromEntries(CALLERS.map((caller) => [caller, newEmail()])) as Record<Caller, string>;
const browsers = {} as Record<Caller, Browser | undefined>;
let checked = 0;
let refused = 0;
let stayedShut = 0;

function isSignedIn(caller: Caller): boolean {
  return caller === "member" || caller === "owner";
}

function needsSession(least: Least): boolean {
  return least !== "anyone";
}

/** What has to come of it. */
function expected(least: Least, caller: Caller): Outcome {
  if (!needsSession(least)) return "in";
  if (!isSignedIn(caller)) return "sign in";
  return least === "owner" && caller === "member" ? "forbidden" : "in";
}

/** Somebody with an account, signed in as a program and as a browser. */
async function newMember(caller: Caller): Promise<{ userId: string }> {
  const { body } = await api.post("/auth/signup", { email: emails[caller], password: PASSWORD });
  tokens[caller] = body.user.authToken;
  browsers[caller] = await signIn(site.url, emails[caller], PASSWORD);
  return body.user;
}

/** What was tried before may have ended their sessions. */
async function signInAgain(): Promise<void> {
  browsers.owner = await signIn(site.url, site.owner.email, site.owner.password);
  browsers.member = await signIn(site.url, emails.member, PASSWORD);
}

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env: { METRICS_TOKEN } });
  api = apiOf(site.url);
  const owner = api.as({ token: site.owner.authToken });
  privateBoard = (await owner.post("/boards", { name: CANARY, isPrivate: true })).body.board;
  const { user } = (await api.post("/auth/login", site.owner)).body;
  tokens.owner = user.authToken;
  ownerId = user.userId;
  browsers.owner = await signIn(site.url, site.owner.email, site.owner.password);
  await newMember("member");
  await newMember("ended");
  for (const session of [{ token: tokens.ended }, { headers: { ...SAME_ORIGIN(), cookie: browsers.ended?.cookie() ?? "" } }])
    await api.post("/auth/logout", undefined, session);
  const { userId } = await newMember("blocked");
  expect(await tryAction("app/dashboard/users/actions.ts block", "owner", { userId })).toBe("in");
});

afterAll(async () => {
  // The metrics are one more.
  const all = CALLERS.length * (Object.keys(OPERATIONS).length + Object.keys(ACTIONS).length + Object.keys(ADDRESSES).length + 1);
  reportBar({
    bar: "Z1",
    measure: "doors (operations, actions, addresses, the metrics) by caller that open for whom they should",
    figure: `${checked}/${all}`,
    ok: checked === all,
  });
  const calls = Object.values(ACTIONS).filter(needsSession).length * CALLERS.filter((caller) => !isSignedIn(caller)).length;
  reportBar({
    bar: "Z7",
    measure: "calls of server actions by their id, without a session that lives, that were refused",
    figure: `${refused}/${calls}`,
    ok: refused === calls,
  });
  const tried = DISGUISES.length * SHUT.length * OUTSIDERS.length;
  reportBar({
    bar: "Z6",
    measure: "addresses as Next reads them for itself, for callers who may not open them, that stayed shut",
    figure: `${stayedShut}/${tried}`,
    ok: stayedShut === tried,
  });
  await api?.close();
  await site?.remove();
});

const SAME_ORIGIN = () => ({ origin: site.url, "sec-fetch-site": "same-origin" });

describe("Z1: every operation of the API opens for whom it should", () => {
  test("all of them are listed here", async () => {
    const { operations } = await loadContract(site.url);
    expect(operations.map(({ method, template }) => `${method} ${template}`).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  test.each(Object.entries(OPERATIONS))("%s: %s", async (operation, least) => {
    const [method = "", template = ""] = operation.split(" ");
    for (const caller of CALLERS) {
      // Signing out is tried last by who needs the session on.
      const token = operation === "POST /auth/logout" && tokens[caller] ? await spareToken(caller) : tokens[caller];
      const answer = await api.call(method, template.replace(/\{\w+\}/, NOBODY_KNOWS), { token, json: method === "GET" ? undefined : {} });

      const outcome = answer.status === 401 ? "sign in" : answer.body?.code === "FORBIDDEN" ? "forbidden" : "in";
      // Whoever holds a dead token hears so wherever tokens are looked at.
      const isRefused = (caller === "blocked" || caller === "ended") && !WITHOUT_TOKEN.includes(operation);
      const due = isRefused ? "sign in" : expected(least, caller);
      expect([caller, answer.status, answer.body?.code, outcome]).toEqual([caller, answer.status, answer.body?.code, due]);
      checked++;
    }
  });
});

async function spareToken(caller: Caller): Promise<string | undefined> {
  if (caller === "owner") return (await api.post("/auth/login", site.owner)).body.user.authToken;
  if (caller === "member") return (await api.post("/auth/signup", { email: newEmail(), password: PASSWORD })).body.user.authToken;
  return tokens[caller];
}

describe("Z1, Z7: every server action, called by its id, does nothing for who may not", () => {
  beforeAll(signInAgain);

  test("all of them are listed here", () => {
    expect(actions().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(ACTIONS)));
    expect(actions().filter(({ name }) => !(name in ACTIONS))).toEqual([]);
  });

  test.each(Object.entries(ACTIONS))("%s: %s", async (name, least) => {
    for (const caller of CALLERS) {
      expect([caller, await tryAction(name, caller)]).toEqual([caller, expected(least, caller)]);
      checked++;
      if (needsSession(least) && !isSignedIn(caller)) refused++;
    }
  });
});

describe("Z1: every page and other address opens for whom it should", () => {
  beforeAll(signInAgain);

  test("all of them are listed here", () => {
    const known = [
      ...Object.keys(ADDRESSES),
      ...Object.keys(OPERATIONS).map((operation) => `/api/v1${operation.split(" ")[1]?.replace(/\{(\w+)\}/g, "[$1]")}`),
    ];
    expect(addresses().filter((address) => !known.includes(address))).toEqual([]);
    expect(Object.keys(ADDRESSES).filter((address) => !addresses().includes(address))).toEqual([]);
  });

  test.each(Object.entries(ADDRESSES))("%s: %s", async (address, least) => {
    for (const caller of CALLERS) {
      expect([caller, await openAddress(address, caller)]).toEqual([caller, expected(least, caller)]);
      checked++;
    }
  });
});

// The one address that the front server answers by itself, to a token that is nobody's.
test("Z1: the metrics open for their token, and for nobody's cookie or token", async () => {
  for (const caller of CALLERS) {
    const headers = { cookie: browsers[caller]?.cookie() ?? "", authorization: `Bearer ${tokens[caller]}` };
    expect([caller, (await fetch(`${site.url}/metrics`, { headers })).status]).toEqual([caller, 401]);
    checked++;
  }
  expect((await fetch(`${site.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).status).toBe(200);
});

describe("Z6: headers and addresses that Next reads for itself open no door", () => {
  /** What each is headed by, as its owner sees it. */
  const headings: [page: string, heading: string][] = [];

  beforeAll(async () => {
    const [, mailId] = /outbox\/([0-9a-f-]{36})/.exec(await readDisguised(["/dashboard/outbox", {}], "owner")) ?? [];
    expect(mailId).toBeDefined();
    const names = { "[slug]": privateBoard.url, "[boardId]": privateBoard.boardId, "[userId]": ownerId, "[mailId]": mailId };
    for (const address of SHUT) {
      const page = address.replace(/\[\w+\]/, (name) => String(names[name as keyof typeof names]));
      headings.push([page, String(headingsOf(await readDisguised([page, {}], "owner"))[0])]);
    }
  });

  test.each(DISGUISES)("%s", async (_name, disguise) => {
    for (const [page, heading] of headings) {
      for (const caller of OUTSIDERS) {
        const body = await readDisguised(disguise(page), caller);
        const seen = [CANARY, site.owner.email].filter((text) => body.includes(text));
        expect([page, caller, seen, headingsOf(body)]).toEqual([page, caller, [], expect.not.arrayContaining([heading])]);
        stayedShut++;
      }
    }
  });

  test("but a page and its parts come to who may see them", async () => {
    const shown: string[] = [];
    for (const [name, disguise] of DISGUISES) if ((await readDisguised(disguise(`/boards/${privateBoard.url}`), "owner")).includes(CANARY)) shown.push(name);

    expect(shown).toEqual(expect.arrayContaining(["x-middleware-subrequest", "rsc"]));
  });
});

/** What a page, or what Next sends in a page's place, is headed by; of a file its first line. */
function headingsOf(body: string): string[] {
  const headings = [...body.matchAll(/<h1[^>]*>(?:<[^>]*>)*([^<]+)|"h1",[^{]*\{[^}]*?"children":"([^"]+)"/g)].map(
    ([, inPage, inPart]) => inPage ?? inPart ?? "",
  );
  return headings.length > 0 ? headings : body.split("\n", 1);
}

/** What comes back where an address is asked for with such headers. Next leads on to the one behind which it has the parts of a page that they ask for. */
async function readDisguised([path, headers]: [string, Record<string, string>], caller: Caller): Promise<string> {
  const asking = { headers: { ...headers, cookie: browsers[caller]?.cookie() ?? "" }, redirect: "manual" } as const;
  const response = await fetch(`${site.url}${path}`, asking);
  const location = response.headers.get("location") ?? "";
  return (/[?&]_rsc\b/.test(location) ? await fetch(new URL(location, site.url), asking) : response).text();
}

/** What comes of an action, called with ids that nothing has. */
async function tryAction(name: string, caller: Caller, fields: Record<string, string> = {}): Promise<Outcome> {
  const cookie = name.endsWith(" signOut") ? "" : (browsers[caller]?.cookie() ?? "");
  const ids = { userId: NOBODY_KNOWS, boardId: NOBODY_KNOWS, mailId: NOBODY_KNOWS, sessionId: NOBODY_KNOWS };
  const code = await callAction({ url: site.url, name, cookie, fields: { ...ids, ...fields } });
  if (code === "UNAUTHENTICATED") return "sign in";
  return code === "FORBIDDEN" && !name.startsWith("app/setup") ? "forbidden" : "in";
}

/** Opens an address as a browser does. */
async function openAddress(address: string, caller: Caller): Promise<Outcome> {
  const response = await fetch(`${site.url}${pathOf(`app${address}/page`)}`, { headers: { cookie: browsers[caller]?.cookie() ?? "" }, redirect: "manual" });
  const location = response.headers.get("location") ?? "";
  if (response.status === 401 || (response.status > 300 && response.status < 309 && location.includes("/login?next="))) return "sign in";
  expect([address, caller, response.status < 500]).toEqual([address, caller, true]);
  return response.status === 403 ? "forbidden" : "in";
}
