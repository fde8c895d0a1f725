import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { markMakeshift, showOneBoard, whileAnswering } from "#lib/answer";
import { noteChange, setHearing } from "#lib/changes";
import { createKeptAnswers } from "./kept.ts";
import { contentSecurityPolicy } from "./security-headers.ts";

type Make = (request: IncomingMessage, response: ServerResponse) => void;

const NONCE = /'nonce-([^']+)'/;
let made = 0;

beforeEach(() => {
  made = 0;
  setHearing(true);
});

/** A page as Next makes one: in pieces, with the nonce that the request's policy names. */
const page: Make = (request, response) => {
  const nonce = NONCE.exec(String(request.headers["content-security-policy"]))?.[1];
  response.setHeader("Content-Type", "text/html");
  response.setHeader("Link", `</font.woff2>; rel=preload; nonce="${nonce}"`);
  response.write(`<p>${request.url}</p><script nonce="${nonce}">`);
  response.end(`1</script><style nonce="${nonce}"></style>${"länger ".repeat(300)}أفكار 💡`);
};

/** A server that keeps answers before `make`; `get` asks it, and tells the answer's status, headers and body. */
async function serving(make: Make = page, maxBytes = 1_000_000) {
  const kept = createKeptAnswers(maxBytes);
  let served = 0;
  const server = createServer((request, response) => {
    const policy = contentSecurityPolicy(String(++served).padStart(24, "n"));
    request.headers["content-security-policy"] = policy;
    response.setHeaders(new Map(Object.entries({ "Content-Security-Policy": policy, "X-Request-Id": `request-${served}` })));
    kept.answer(request, response, () => {
      made++;
      whileAnswering(response, () => make(request, response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}, method = "GET", hangsUpAfterMs = 0) =>
    new Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }>((resolve, reject) => {
      const sent = httpRequest({ port, host: "127.0.0.1", path, headers, method }, (response) => {
        const plain = response.headers["content-encoding"] === "gzip" ? response.pipe(createGunzip()) : response;
        text(plain).then((body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }), reject);
      });
      sent.on("error", reject).end();
      if (hangsUpAfterMs) setTimeout(() => sent.destroy(new Error("hung up")), hangsUpAfterMs);
    });
}

test.for(["/", "/boards/ideas", "/api/v1/docs"])("the page at %s is made once, and given out with a nonce of each answer's own", async (path) => {
  const get = await serving();
  const asked = [await get(path), await get(path), await get(path, { "accept-encoding": "br, gzip" })];
  const answers = [...asked, await get(path, { "accept-encoding": "gzip" }), await get(path, { "accept-encoding": "gzip;q=0" })];

  const nonces = answers.map(({ headers }) => NONCE.exec(String(headers["content-security-policy"]))?.[1] ?? "");
  expect([made, new Set(nonces).size, new Set(answers.map(({ headers }) => headers["x-request-id"])).size]).toEqual([1, 5, 5]);
  for (const [index, { body, headers }] of answers.entries()) {
    expect([headers["content-type"], headers.link]).toEqual(["text/html", `</font.woff2>; rel=preload; nonce="${nonces[index]}"`]);
    expect(body.match(/nonce="[^"]+"|💡/gu)).toEqual([`nonce="${nonces[index]}"`, `nonce="${nonces[index]}"`, "💡"]);
    expect(body.replaceAll(nonces[index] ?? "", "")).toBe(answers[0]?.body.replaceAll(nonces[0] ?? "", ""));
  }
  expect(answers.map(({ headers }) => headers["content-encoding"])).toEqual([undefined, undefined, "gzip", "gzip", undefined]);
});

test("after a change it is made anew, and what was being made meanwhile is not kept", async () => {
  const get = await serving((request, response) => {
    if (made === 2) noteChange();
    page(request, response);
  });

  await get("/boards/ideas");
  noteChange();
  await get("/boards/ideas");
  await get("/boards/ideas");
  await get("/boards/ideas");

  expect(made).toBe(3);
});

test("what shows one board alone outlives changes of others, and ends with one of its own or of the site", async () => {
  const [shown, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const get = await serving((request, response) => {
    if (request.url !== "/") showOneBoard(shown);
    if (made === 4) noteChange(shown);
    page(request, response);
  });
  const madeBy = async (path: string) => {
    const before = made;
    await get(path);
    return made > before;
  };

  expect([await madeBy("/boards/ideas"), await madeBy("/")]).toEqual([true, true]);
  noteChange(other);
  expect([await madeBy("/boards/ideas"), await madeBy("/")]).toEqual([false, true]);
  noteChange(shown);
  // While this one is made, the board changes.
  expect([await madeBy("/boards/ideas"), await madeBy("/boards/ideas"), await madeBy("/boards/ideas")]).toEqual([true, true, false]);
  noteChange();
  expect(await madeBy("/boards/ideas")).toBe(true);
  for (let count = 0; count < 20_000; count++) noteChange(crypto.randomUUID());
  expect(await madeBy("/boards/ideas")).toBe(true);
});

test("whoever asks for what is being made waits for it, and has it made anew where it is not to be had", async () => {
  const waiting: (() => void)[] = [];
  const get = await serving((request, response) => {
    if (request.url === "/boards/gone") response.statusCode = 404;
    waiting.push(() => page(request, response));
  });
  const begun = () => vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
  const finish = () => waiting.splice(0).map((end) => end()).length;
  const outcome = async (path: string, times: number, meanwhile = () => {}) => {
    const answers = Array.from({ length: times }, () => get(path));
    await begun();
    await sleep(50);
    meanwhile();
    const first = finish();
    await sleep(50);
    return [first, finish(), ...new Set((await Promise.all(answers)).map(({ status }) => status))];
  };

  expect(await outcome("/", 5)).toEqual([1, 0, 200]);
  expect(await outcome("/boards/gone", 3)).toEqual([1, 2, 404]);
  expect(await outcome("/?page=2", 3, noteChange)).toEqual([1, 2, 200]);

  const left = get("/?page=3", {}, "GET", 50).catch(() => "hung up");
  await begun();
  const stayed = get("/?page=3");
  expect(await left).toBe("hung up");
  waiting.splice(0);
  await begun();
  finish();
  expect((await stayed).status).toBe(200);
});

test("while nobody would tell of changes nothing is kept, nor given out", async () => {
  const get = await serving();
  await get("/");
  setHearing(false);
  await get("/");
  await get("/");
  setHearing(true);
  await get("/");

  expect(made).toBe(4);
});

test.each<[string, Record<string, string>]>([
  ["a session's cookie", { cookie: "a=b; heard.session=x" }],
  ["a session's cookie over https", { cookie: "__Host-heard.session=x" }],
  ["a token", { authorization: "Bearer x" }],
  ["another site's name", { origin: "https://elsewhere.example" }],
  ["a part's range", { range: "bytes=0-1" }],
  ["the router's question", { rsc: "1" }],
])("a request with %s neither gets nor leaves a kept answer", async (_name, headers) => {
  const get = await serving();
  await get("/", headers);
  await get("/");
  await get("/", headers);

  expect(made).toBe(3);
});

test("each language, look and address has answers of its own, whatever else stands in a cookie", async () => {
  const get = await serving();
  const kinds = [
    {},
    { "accept-language": "de" },
    { "accept-language": "en" },
    { cookie: "heard-theme=dark" },
    { cookie: "heard-theme=dark; heard-locale=ar" },
    { cookie: "heard-shortcuts=off" },
    { "x-heard-origin": "https://feedback.example.com" },
  ] as Record<string, string>[];
  for (const headers of kinds) await get("/", headers);
  await get("/?page=2");
  const separate = made;
  for (const headers of kinds) await get("/", headers);
  await get("/", { cookie: "heard-theme=dark%20x; heard-locale=de dark; _ga=1" });
  await get("/", { "accept-language": "tlh" });

  expect([separate, made]).toEqual([kinds.length + 1, kinds.length + 1]);
});

test.each<[string, Make]>([
  ["that is no success", (_request, response) => response.writeHead(404, { "Content-Type": "text/html" }).end("no")],
  ["that sets a cookie", (_request, response) => response.setHeader("Set-Cookie", "a=b").end("yours")],
  [
    "that lacks something",
    (_request, response) => {
      markMakeshift();
      response.end("bare");
    },
  ],
])("an answer %s is not kept", async (_name, make) => {
  const get = await serving(make);
  const [first, second] = [await get("/"), await get("/")];

  expect([made, second.status, second.body]).toEqual([2, first.status, first.body]);
  expect(first.body).not.toBe("");
});

test("nothing that the key does not say is handed on: not even what only Next would heed", async () => {
  const seen: IncomingMessage["headers"][] = [];
  const get = await serving((request, response) => {
    seen.push({ ...request.headers });
    page(request, response);
  });
  await get("/", {
    "x-middleware-prefetch": "1",
    "x-anything": "<script>",
    "if-none-match": '"1"',
    "user-agent": "",
    "accept-language": "de-AT, en;q=0.5",
    cookie: "heard-locale=%61r; heard-theme=light; heard-theme=dark; heard-shortcuts=o%66f; _ga=1",
  });
  await get("/", { cookie: "heard-theme=dark; heard-locale=de" });

  expect(made).toBe(1);
  const { host: _host, "content-security-policy": _policy, ...headers } = seen[0] ?? {};
  expect(headers).toEqual({ cookie: "heard-theme=dark; heard-locale=de", "user-agent": "Heard" });
});

test("who fails midway cannot begin another answer", async () => {
  const get = await serving((_request, response) => {
    response.write("<p>");
    const status = response.headersSent ? 200 : 500;
    response.writeHead(status, "Fine", { "X-Test": "1" }).end("</p>");
  });
  const answer = await get("/");

  expect([answer.status, answer.body, answer.headers["x-test"]]).toEqual([200, "<p></p>", "1"]);
});

test("other methods and addresses are none of its business", async () => {
  const get = await serving();
  for (const [path, method] of [
    ["/", "HEAD"],
    ["/", "POST"],
    ["/login", "GET"],
    ["/boards/ideas/feed.atom", "GET"],
    ["/api/v1/users/me", "GET"],
  ] as const) {
    await get(path, {}, method);
    await get(path, {}, method);
  }

  expect(made).toBe(10);
});

test("who has the API's answer already is told so", async () => {
  const get = await serving((_request, response) => response.setHeader("ETag", '"1"').end("{}"));
  await get("/api/v1/boards");

  const answers = [await get("/api/v1/boards", { "if-none-match": '"0", W/"1"' }), await get("/api/v1/boards", { "if-none-match": '"0"' })];

  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [304, ""],
    [200, "{}"],
  ]);
  expect(made).toBe(1);
});

test("an answer that would drive out most others is not kept", async () => {
  const get = await serving((request, response) => (request.url === "/boards/large" ? response.end("x".repeat(10_000)) : page(request, response)), 30_000);
  for (const path of ["/", "/boards/large", "/boards/large", "/"]) await get(path);

  expect(made).toBe(3);
});

test("what was not asked for longest gives way", async () => {
  const get = await serving(page, 30_000);
  for (let board = 0; board < 30; board++) {
    await get(`/boards/${board}`);
    await get("/");
  }
  const before = made;
  await get("/");
  await get("/boards/29");
  await get("/boards/0");

  expect([before, made]).toEqual([31, 32]);
});

test("with no memory for it nothing is kept", async () => {
  const get = await serving(page, 0);
  await get("/");
  await get("/");

  expect(made).toBe(2);
});
