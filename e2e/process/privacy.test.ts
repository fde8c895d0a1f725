import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { apiOf } from "../api/client.ts";
import { loadContract } from "../api/contract.ts";
import { ask, askForParts, type Plain } from "../api/requests.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { countRows, readRows, writeRows } from "../stored.ts";

const PEOPLE = scale(100, 1000);
const IDLE_MS = scale(3_000, 60_000);
const STRACE = "/usr/bin/strace";
const template = inject("databaseTemplate");

// Whatever leaves a process leaves it by one of these, in its own code and in its libraries' alike.
test.runIf(existsSync(STRACE))("P2: started and left alone it connects to nobody but its own database", { timeout: IDLE_MS + 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "heard-strace-"));
  const trace = join(folder, "trace");
  const calls = "trace=listen,connect,sendto,sendmsg,sendmmsg";
  const server = await startServer({ template, under: [STRACE, "-D", "-f", "-qq", "-e", calls, "-s", "64", "-o", trace] });
  onTestFinished(server.remove);
  await sleep(IDLE_MS);
  await server.stop();
  const seen = readFileSync(trace, "utf8");
  rmSync(folder, { recursive: true });

  const foreign = destinations(seen).filter((destination) => !isOwnDatabase(destination, server.databaseUrl));
  reportBar({
    bar: "P2",
    measure: `connections to others from the start to ${IDLE_MS / 1000} s of idling, by strace`,
    figure: foreign.length,
    ok: foreign.length === 0,
  });
  expect(foreign).toEqual([]);
  // That it listens shows that the trace shows something.
  expect(seen).toMatch(/\blisten\(\d+, \d+\) += 0/);
});

/** The addresses that calls in a trace went to, other than this machine's own sockets in files, pipes and netlink. */
function destinations(trace: string): string[] {
  const found = trace.matchAll(/sa_family=AF_INET6?, sin6?_port=htons\((\d+)\)[^}]*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"/g);
  return [...found].map(([, port, address]) => `${address}:${port}`);
}

function isOwnDatabase(destination: string, databaseUrl: string): boolean {
  if (!databaseUrl) return false;
  const { port } = new URL(databaseUrl);
  return [`127.0.0.1:${port || 5432}`, `::1:${port || 5432}`].includes(destination);
}

test(`P4: of ${PEOPLE} people's addresses none stands in what the public reads`, { timeout: 180_000 }, async () => {
  const former = await startSite({ template });
  const api = apiOf(former.url, { token: former.owner.authToken });
  const boards = await Promise.all(Array.from({ length: 5 }, async (_, index) => (await api.post("/boards", { name: `Seeded board ${index}` })).body.board));
  await api.close();
  await former.stop();
  await writeRows(former, peopleWhoMadeEverything(PEOPLE));
  const seeded = await countRows(former, { people: `"User" WHERE email LIKE 'seeded-%'`, posts: `"Post" WHERE "authorId" IS NOT NULL` });
  const users = await readRows<{ userId: string }>(former, 'SELECT "userId" FROM "User" LIMIT 10');
  const server = await startServer({ from: former });
  onTestFinished(server.remove);

  const ofBoards = boards.flatMap(({ url, boardId }) => [`/boards/${url}`, `/boards/${url}/feed.atom`, `/api/v1/boards/${boardId}`]);
  const pages = [
    "/",
    "/?page=2",
    "/search?q=seeded",
    "/search?q=mail.example",
    "/find?q=seeded",
    "/login",
    "/signup",
    "/api/v1/docs",
    "/nowhere",
    "/dashboard/users",
  ];
  const files = ["/feed.atom", "/sitemap.xml", "/sitemaps/1.xml", "/robots.txt", "/manifest.webmanifest", ...users.map(({ userId }) => `/avatars/${userId}`)];
  const { operations } = await loadContract(server.url);
  const ofApi = operations.filter(({ method }) => method === "GET").map(({ path }) => `/api/v1${path}`);
  const answers: Plain[] = [];
  for (const path of [...pages, ...files, ...ofBoards, ...ofApi, "/api/auth/session"])
    for (const answer of [ask(server.url, path), askForParts(server.url, path), ask(server.url, path, { headers: { authorization: "Bearer dead" } })])
      answers.push(await answer);
  const leaks = answers.flatMap(({ path, text }) => (text.match(ADDRESSES) ?? []).map((address) => `${address} at ${path}`));

  reportBar({
    bar: "P4",
    measure: `addresses of ${PEOPLE} people in ${answers.length} public answers`,
    figure: leaks.length,
    ok: leaks.length === 0,
  });
  expect(leaks).toEqual([]);
  // They are there, and what they made is shown.
  expect(seeded).toEqual({ people: PEOPLE, posts: PEOPLE });
  expect(answers.filter(({ text }) => text.includes("Seeded board 1")).length).toBeGreaterThan(5);
});

const ADDRESSES = /(?:seeded-\d+|owner)(?:@|%40|&#x?\w+;|\\u0040)\w+\.(?:example|com)/gi;

/** Statements that give the site so many people, each with a post, and make the boards theirs. */
function peopleWhoMadeEverything(count: number): string {
  const id = (kind: number, n: string) => `('00000000-0000-7000-800${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  return [
    `INSERT INTO "User" ("userId", email, name, username, "passwordHash", "searchText") SELECT ${id(1, "n")}, 'seeded-' || n || '@mail.example', 'Person ' || n, 'person-' || n, 'x', 'person seeded-' || n || '@mail.example' FROM generate_series(1, ${count}) n`,
    `UPDATE "Board" SET "createdById" = ${id(1, "1")}, "postCount" = 1`,
    `INSERT INTO "Post" ("postId", "boardId", "authorId", title) SELECT ${id(2, "n")}, (SELECT "boardId" FROM "Board" ORDER BY "boardId" LIMIT 1), ${id(1, "n")}, 'Post ' || n FROM generate_series(1, ${count}) n`,
  ].join(";\n");
}
