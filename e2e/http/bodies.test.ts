import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { apiOf, checkAnswer } from "../api/client.ts";
import { type Contract, loadContract } from "../api/contract.ts";
import { checkReceived } from "../api/requests.ts";

const MIB = 1024 * 1024;
const WRITES = ["POST", "PATCH", "DELETE"];

const { url, ownerToken } = inject("site");
const api = apiOf(url);
const owner = api.as({ token: ownerToken });
let contract: Contract;

beforeAll(async () => {
  contract = await loadContract(url);
});

function writes() {
  // Signing out works with any body that is an object; the owner's token is still needed.
  return contract.operations.filter(({ method }) => WRITES.includes(method)).map(({ method, path }) => ({ method, path }));
}

test.each(["", "   ", "{}", '{"nobody":"knows this"}'])("the body %j is read as an object without fields we know", async (raw) => {
  const answer = await api.call("POST", "/auth/signup", { raw, headers: { "content-type": "application/json" } });

  expect(answer).toMatchObject({ status: 400, body: { code: "EMAIL_INVALID" } });
});

test("a body without Content-Type is read as JSON", async () => {
  const answer = await api.call("POST", "/auth/login", { raw: JSON.stringify({ email: "nobody@example.com", password: "wrong password" }) });

  expect(answer).toMatchObject({ status: 401, body: { code: "INVALID_CREDENTIALS" } });
});

test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])("the content type %s is JSON", async (type) => {
  const answer = await api.call("POST", "/auth/login", {
    raw: '{"email":"nobody@example.com","password":"wrong password"}',
    headers: { "content-type": type },
  });

  expect(answer.body.code).toBe("INVALID_CREDENTIALS");
});

describe("every write", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json-patch+json",
    "nonsense",
    "",
    ";application/json",
  ])("answers 415 to %j", async (type) => {
    for (const { method, path } of writes()) {
      const answer = await owner.call(method, path, { raw: "{}", headers: { "content-type": type } });

      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
  });

  test.each(["{", "[]", "null", "1", '"text"', "true", "{'a':1}", "[{}]", "\ufeff[]", "undefined", '{"a":1}}'])(
    "answers 400 INVALID_JSON to %j",
    async (raw) => {
      for (const { method, path } of writes()) {
        const answer = await owner.call(method, path, { raw, headers: { "content-type": "application/json" } });

        expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 400, "INVALID_JSON"]);
      }
    },
  );

  test("answers 400 INVALID_JSON to what is no UTF-8", async () => {
    const raw = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]);

    for (const { method, path } of writes()) expect((await owner.call(method, path, { raw })).body.code).toBe("INVALID_JSON");
  });

  test("answers 413 to more than 1 MiB", async () => {
    const raw = JSON.stringify({ name: "x".repeat(MIB) });

    for (const { method, path } of writes()) {
      const answer = await owner.call(method, path, { raw, headers: { "content-type": "application/json" } });

      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 413, "PAYLOAD_TOO_LARGE"]);
    }
  });
});

test("a body of exactly 1 MiB is read", async () => {
  const padding = MIB - JSON.stringify({ email: "", pad: "" }).length;
  const raw = JSON.stringify({ email: "", pad: "x".repeat(padding) });

  expect(Buffer.byteLength(raw)).toBe(MIB);
  expect((await api.call("POST", "/auth/signup", { raw })).body.code).toBe("EMAIL_INVALID");
});

test("of a body stated to be too large nothing is waited for", async () => {
  const { head, sentBytes } = await send(`Content-Length: ${500 * MIB}`, () => null);

  expect(head).toMatch(/^HTTP\/1\.1 413 /);
  expect(sentBytes).toBe(0);
});

test("of many who send too much at once everybody's connection ends, and later ones hear why", async () => {
  const { hostname, port } = new URL(url);
  const senders = Array.from({ length: 20 }, () => connect(Number(port), hostname).on("error", () => {}));
  for (const socket of senders)
    socket.write(`POST /api/v1/auth/signup HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${5 * MIB}\r\n\r\n{`);

  const answers = await Promise.all(senders.map((socket) => text(socket)));
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(await checkReceived(url, ["POST /api/v1/auth/signup"], answer)).toBe(1);
  }
  expect((await api.call("POST", "/auth/signup", { raw: "x".repeat(5 * MIB) })).status).toBe(413);
});

test.for([
  [1.25, "unstated"],
  [5, "unstated"],
  [5, "stated"],
] as const)("who sends %s MiB at once, of %s length, hears that it is too large before the connection ends", async ([mebibytes, length]) => {
  const bytes = "x".repeat(mebibytes * MIB);
  const answers: (number | string)[] = [];
  for (let count = 0; count < 10; count++) {
    const body = length === "stated" ? bytes : new Blob([bytes]).stream();
    const request = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } };
    const sent = fetch(`${url}/api/v1/auth/signup`, request).then(async (answer) => {
      const came = { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
      return (await checkAnswer(url, { method: "POST", path: "/api/v1/auth/signup", ...came })).code;
    });
    answers.push(await sent.catch(String));
  }

  expect(answers).toEqual(Array(10).fill("PAYLOAD_TOO_LARGE"));
});

test("a chunked body without end is cut with 413 soon after the limit", async () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);

  const { head, sentBytes } = await send("Transfer-Encoding: chunked", () => framed);

  expect(head).toMatch(/^HTTP\/1\.1 413 /);
  // What the kernel's buffers of both sides take is sent, too.
  expect(sentBytes).toBeLessThan(32 * MIB);
  expect((await api.get("/api/health/live")).status).toBe(200);
});

test.each(["identity", "gzip"])("a form that grows too large hears so, also where answers come packed as %s", async (encoding) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const size = 2 * MIB + 1;
  socket.write(
    `POST /login HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: ${encoding}\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(`${size.toString(16)}\r\n${"a".repeat(size)}`);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"PAYLOAD_TOO_LARGE"/);
});

test("an object 10,000 deep is answered like any other", async () => {
  const deep = `{"email":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`;

  expect((await api.call("POST", "/auth/signup", { raw: deep })).body.code).toBe("EMAIL_INVALID");
});

test("I13: of a key given twice the last counts, and __proto__ is a name like any other", async () => {
  const twice = await api.call("POST", "/auth/signup", { raw: '{"email":"valid@example.com","email":"none","password":"long enough"}' });
  const proto = await api.call("POST", "/auth/signup", {
    raw: '{"__proto__":{"email":"valid@example.com"},"constructor":{"prototype":{"email":"valid@example.com"}}}',
  });

  expect([twice.body.code, proto.body.code]).toEqual(["EMAIL_INVALID", "EMAIL_INVALID"]);
});

test.each(["{}", "{", "[]", "null", "garbage", '{"limit":"1"}'])("GET /boards ignores its body %j", async (raw) => {
  const before = await api.get("/boards");
  const withBody = await api.get("/boards", { raw, headers: { "content-type": "application/json" } });
  // Other tests make boards meanwhile.
  const after = await api.get("/boards");

  expect(withBody.status).toBe(200);
  expect([before.text, after.text]).toContain(withBody.text);
});

test("GET /boards ignores a body of another type, and of more than 1 MiB", async () => {
  expect((await api.get("/boards", { raw: "a=b", headers: { "content-type": "text/plain" } })).status).toBe(200);
  expect((await api.get("/boards", { raw: "x".repeat(2 * MIB) })).status).toBe(200);
  expect((await api.get("/boards")).status).toBe(200);
});

test("writes that are sent before the answer to the one before them are all done, also in pieces of unknown length", async () => {
  const { hostname, port } = new URL(url);
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${ownerToken}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`;
  const names = ["One", "Two", "Three"].map((name) => `${name} ${crypto.randomUUID()}`);
  const posts = names
    .map((name) => JSON.stringify({ name }))
    .map((body) => `POST /api/v1/boards HTTP/1.1\r\n${head}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  const socket = connect(Number(port), hostname);
  // The last bytes of the second come while the first is worked on.
  socket.write(`${posts[0]}${posts[1]?.slice(0, -6)}`);
  setTimeout(() => socket.write(`${posts[1]?.slice(-6)}${posts[2]}GET /api/v1/settings/site HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`), 300);

  const answers = (await buffer(socket)).toString("latin1");

  expect(await checkReceived(url, [...names.map(() => "POST /api/v1/boards"), "GET /api/v1/settings/site"], answers)).toBe(4);
  expect(answers.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["201", "201", "201", "200"]);
  for (const name of names) expect(answers).toContain(name);
});

/** Posts a body of `next()`s, over a socket of its own, until an answer has come and the server has hung up. */
function send(header: string, next: () => Buffer | null): Promise<{ head: string; sentBytes: number }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let head = "";
    let sentBytes = 0;
    const pump = () => {
      for (let chunk = next(); chunk && !socket.destroyed; chunk = next()) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("connect", () => {
      socket.write(`POST /api/v1/auth/signup HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n${header}\r\n\r\n`);
      pump();
    });
    socket.on("drain", pump);
    socket.setEncoding("latin1").on("data", (text) => (head += text));
    // The server may reset the connection while we are still sending; what it said has arrived.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => checkReceived(url, ["POST /api/v1/auth/signup"], head).then(() => resolve({ head, sentBytes }), reject));
  });
}
