import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFront } from "./front.ts";
import { refuseBrokenRequest } from "./refusals.ts";

let server: Server;
const handedOn: string[] = [];
/** What was handed on and arrived as a whole. */
const finished: string[] = [];

beforeAll(async () => {
  const front = createFront();
  front.start(async (request, response) => {
    handedOn.push(request.url ?? "");
    if (request.method === "POST")
      await text(request).then(
        () => finished.push(request.url ?? ""),
        () => {},
      );
    response.end("handed on");
  });
  server = createServer({ requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 20 }, front.handle);
  server.on("clientError", refuseBrokenRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => void server.close());

/** All that the server answers to whoever sends `start`, and `rest` when there is an answer. */
async function answerTo(start: string, rest = ""): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(start);
  socket.once("data", () => socket.write(rest));
  return text(socket);
}

test.for<[what: string, start: string, status: string]>([
  ["no more than a part of its head", "GET / HTTP/1.1\r\nHost: a\r\n", "408 Request Timeout"],
  [
    "a body of unknown length without its end",
    "POST /api/v1/boards HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    "408 Request Timeout",
  ],
  ["a head without an end", `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}`, "431 Request Header Fields Too Large"],
  ["what is no HTTP", "HELLO\r\n\r\n", "400 Bad Request"],
])("%s is answered once, in the form of every other failure, and handed on to nobody", async ([, start, status]) => {
  const answer = await answerTo(start);

  expect(answer.match(/HTTP\/1\.1 [^\r]+/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(answer).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({ code: "VALIDATION_ERROR", message: expect.stringMatching(/\.$/) });
  expect(handedOn).toEqual([]);
});

test("who was told that it took too long is told what is so: nothing is done with what comes after", async () => {
  for (const path of ["/api/v1/boards", "/login"]) {
    const answer = await answerTo(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`, "0\r\n\r\n").catch(String);
    await sleep(100);

    expect(answer).toMatch(/408|ECONNRESET/);
    expect(finished).toEqual([]);
  }
});
