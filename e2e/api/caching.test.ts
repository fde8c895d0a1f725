import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startSite, type TestSite } from "../site.ts";
import { signIn } from "./browser.ts";
import { apiOf, newEmail, PASSWORD } from "./client.ts";
import { ask, askForParts, type Plain } from "./requests.ts";
import { type SharedCache, startSharedCache } from "./shared-cache.ts";

/** Somebody, and the words that only they may read: the owner reads of everybody. */
type Reader = { name: string; headers: Record<string, string>; marks: string[] };

/** How pages are asked for: by address, by a page that is open already, and by one that looks ahead. */
const WAYS: ((path: string, headers: Record<string, string>) => Promise<Plain>)[] = [
  (path, headers) => ask(cache.url, path, { headers }),
  (path, headers) => askForParts(cache.url, path, { headers }),
  (path, headers) => askForParts(cache.url, path, { headers: { ...headers, "next-router-prefetch": "1" } }),
];

let site: TestSite;
let cache: SharedCache;
let readers: Reader[];
let pages: string[];
let files: string[];

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate") });
  cache = await startSharedCache(site.url);
  const api = apiOf(site.url);
  const people = await Promise.all(
    ["Xanthippe", "Wolfram"].map(async (name) => {
      const email = newEmail();
      const { user } = (await api.post("/auth/signup", { email, password: PASSWORD, name })).body;
      return { name, email, authToken: user.authToken };
    }),
  );
  const board = (await api.post("/boards", { name: "Shared" }, { token: site.owner.authToken })).body.board;
  const hidden = (await api.post("/boards", { name: "Quokka plans", isPrivate: true }, { token: site.owner.authToken })).body.board;
  await api.close();
  const owner = await signIn(site.url, site.owner.email, site.owner.password);
  readers = [
    {
      name: "the owner",
      headers: { cookie: owner.cookie() },
      marks: [site.owner.email, site.owner.name, hidden.name, ...people.flatMap(({ name, email }) => [name, email])],
    },
  ];
  for (const { name, email, authToken } of people) {
    const marks = [name, email];
    readers.push({ name: `${name}'s browser`, headers: { cookie: (await signIn(site.url, email, PASSWORD)).cookie() }, marks });
    readers.push({ name: `${name}'s program`, headers: { authorization: `Bearer ${authToken}` }, marks });
  }
  readers.push({ name: "a stranger", headers: {}, marks: [] });
  pages = [
    "/",
    "/?page=2",
    `/boards/${board.url}`,
    `/boards/${hidden.url}`,
    "/search?q=plans",
    "/me",
    "/login",
    "/signup",
    "/dashboard",
    "/dashboard/users",
    "/nowhere",
  ];
  const besides = [
    "/feed.atom",
    "/sitemap.xml",
    "/sitemaps/1.xml",
    "/card.png",
    "/icons/192.png",
    `/boards/${hidden.url}/card.png`,
    "/find?q=plans",
    "/robots.txt",
    "/manifest.webmanifest",
  ];
  const ofApi = ["/boards", `/boards/${hidden.boardId}`, "/users/me", "/users/me/sessions", "/settings/site", "/auth/setup", "/openapi.json"].map(
    (path) => `/api/v1${path}`,
  );
  files = [...besides, ...ofApi, "/api/auth/session", "/api/auth/csrf"];
});

afterAll(async () => {
  await cache?.close();
  await site?.remove();
});

test("H7: behind a cache that many share nobody gets an answer that was made for somebody else", async () => {
  const crossings: string[] = [];
  const kept: string[] = [];
  let made = 0;
  let parts = 0;

  // Twice, and the second time the other way round: who comes after whom decides what a cache could give.
  for (const order of [readers, readers.toReversed()])
    for (const path of [...pages, ...files])
      for (const way of WAYS.slice(0, pages.includes(path) ? WAYS.length : 1))
        for (const reader of order) {
          const answer = await way(path, reader.headers);
          made += 1;
          if (answer.headers["content-type"]?.startsWith("text/x-component")) parts += 1;
          for (const mark of foreignMarks(reader)) if (holds(answer, mark)) crossings.push(`${path} showed ${mark} to ${reader.name}`);
          if (reader.marks.some((mark) => holds(answer, mark)) && !isPrivate(answer))
            kept.push(`${path} for ${reader.name}: ${answer.headers["cache-control"]}`);
          if (isPage(answer) && !/\brsc\b/i.test(answer.headers.vary ?? "")) kept.push(`${path} does not vary by RSC: ${answer.headers.vary}`);
        }

  reportBar({
    bar: "H7",
    measure: `answers made for somebody else, of ${made} through a shared cache; private ones that it may keep`,
    figure: `${crossings.length}; ${kept.length}`,
    ok: crossings.length + kept.length === 0,
  });
  expect(crossings).toEqual([]);
  expect(kept).toEqual([]);
  expect(parts).toBeGreaterThan(100);
  // A cache that kept nothing would show nothing.
  expect(cache.served.confirmed).toBeGreaterThan(10);
});

/** What only others may read. */
function foreignMarks({ marks }: Reader): string[] {
  return readers.flatMap((other) => other.marks).filter((mark) => !marks.includes(mark));
}

function holds(answer: Plain, mark: string): boolean {
  return answer.text.includes(mark) || (answer.headers.location ?? "").includes(mark);
}

/** Whether nobody may keep it, the reader's own browser included. */
function isPrivate({ headers }: Plain): boolean {
  return /\bno-store\b/.test(headers["cache-control"] ?? "");
}

function isPage({ headers }: Plain): boolean {
  return /^text\/(html|x-component)/.test(headers["content-type"] ?? "");
}
