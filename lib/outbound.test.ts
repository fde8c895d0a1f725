import type { LookupAddress } from "node:dns";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse, request as unguardedRequest } from "node:http";
import { type AddressInfo, createServer, isIP, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { LETTER } from "#lib/testing/letter";
import { startResendServer, type TestResendServer } from "#lib/testing/resend";
import { sendByResend } from "./mail/resend.ts";
import { guardOutbound } from "./outbound.ts";

const REFUSED = "OUTBOUND_REFUSED";
const GIVE_UP_MS = 300;
// In a part of IPv6 that belongs to nobody: what is sent there arrives nowhere.
const PUBLIC = "2d00::1";

/** Every way to write this machine's own address that leads to the canary where nothing guards it, and some that would elsewhere. */
const OWN_HOSTS = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0X7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "017700000001",
  "0x7f.1",
  "0",
  "0.0.0.0",
  "%31%32%37.0.0.1",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "localhost",
  "LOCALHOST",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b:1::127.0.0.1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::80ff:fffe]",
];

/** Of each range that is not the internet one address, and those at which clouds keep their secrets. */
const PRIVATE_ADDRESSES = [
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.254",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "100::1",
  "2001:db8::1",
  "2002:a9fe:a9fe::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];

/** What a name means, question by question; the last answer stays. */
const NAMES: Record<string, string[][]> = {
  "own.test": [["127.0.0.1"]],
  "own6.test": [["::1"]],
  "mapped.test": [["::ffff:127.0.0.1"]],
  "both.test": [["::1", "127.0.0.1"]],
  "linked.test": [["fe80::1%lo"]],
  "private.test": [["10.0.0.1"]],
  "secrets.test": [["169.254.169.254"]],
  "nobody.test": [[]],
};

/** Names whose meaning has no lifetime: what is public when it is looked at is this machine when it is looked at again. */
const REBINDING: Record<string, string[][]> = {
  "rebinding.test": [[PUBLIC], ["127.0.0.1"]],
  "rebinding6.test": [[PUBLIC], ["::1"]],
  "mixed.test": [[PUBLIC, "127.0.0.1"], ["127.0.0.1"]],
};

let canary: Server;
let connections = 0;
let redirecting: Server;
let resend: TestResendServer;
let questions: string[] = [];

beforeAll(async () => {
  canary = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  // Not a list of addresses, but all that this machine has.
  await new Promise<void>((resolve) => canary.listen(0, resolve));
  redirecting = createHttpServer(redirect);
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  resend = await startResendServer();
  await guardOutbound([originOf(redirecting), `${resend.url}/some/path`], answer);
});

afterAll(async () => {
  redirecting.close();
  canary.close();
  await resend.close();
});

beforeEach(() => {
  questions = [];
});

function answer(hostname: string, _options: object, done: (error: Error | null, addresses: LookupAddress[]) => void): void {
  const answers = { ...NAMES, ...REBINDING }[hostname] ?? [hostname.toLowerCase() === "localhost" ? ["127.0.0.1", "::1"] : [hostname]];
  const asked = questions.filter((question) => question === hostname).length;
  questions.push(hostname);
  const addresses = answers[Math.min(asked, answers.length - 1)]?.map((address) => ({ address, family: isIP(address) })) ?? [];
  setImmediate(() => done(null, addresses));
}

/** Answers `/307?to` with 307 and `to`; anything else with a packed "well". */
function redirect(request: IncomingMessage, response: ServerResponse): void {
  const [, status, to] = /^\/(\d{3})\?(.*)$/.exec(request.url ?? "") ?? [];
  if (to) response.writeHead(Number(status), { location: decodeURIComponent(to) }).end();
  else response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("well"));
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function canaryAt(host: string, protocol = "http"): string {
  return `${protocol}://${host}:${(canary.address() as AddressInfo).port}/`;
}

function redirectTo(url: string, status = 302): string {
  return `${originOf(redirecting)}/${status}?${encodeURIComponent(url)}`;
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

/** What becomes of a request: an answer's status, or why there is none. */
async function outcome(url: string, init?: RequestInit): Promise<number | string> {
  try {
    return (await fetch(url, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) })).status;
  } catch (error) {
    const { cause, name } = error as Error;
    return (cause as { code?: string } | undefined)?.code ?? name;
  }
}

test("I15: no address, name or redirect leads to what is private", { timeout: 120_000 }, async () => {
  const direct = [
    ...OWN_HOSTS.map((host) => canaryAt(host)),
    ...["127.0.0.1", "2130706433", "localhost", "[::1]", "[::ffff:127.0.0.1]", "own.test"].map((host) => canaryAt(host, "https")),
    ...PRIVATE_ADDRESSES.map((address) => canaryAt(bracketed(address))),
    ...Object.keys(NAMES).map((name) => canaryAt(name)),
  ];
  const redirected = [
    ...[301, 302, 303, 307, 308].map((status) => redirectTo(canaryAt("127.0.0.1"), status)),
    ...["2130706433", "0177.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]", "own.test", "169.254.169.254"].map((host) =>
      redirectTo(canaryAt(host)),
    ),
    redirectTo(redirectTo(redirectTo(canaryAt("127.0.0.1")))),
  ];
  const payloads = [...direct, ...redirected];

  const outcomes: [string, number | string][] = [];
  for (const payload of payloads) outcomes.push([payload, await outcome(payload)]);
  const askedAgain: string[] = [];
  for (const name of Object.keys(REBINDING)) {
    // The first goes to where the name led at that moment; asking for it again before connecting would lead here.
    await outcome(canaryAt(name));
    if (questions.filter((question) => question === name).length !== 1) askedAgain.push(name);
    for (const again of [canaryAt(name), redirectTo(canaryAt(name))]) outcomes.push([again, await outcome(again)]);
  }
  const notRefused = outcomes.filter(([, what]) => what !== REFUSED);

  reportBar({
    bar: "I15",
    measure: `connections to a private canary by ${outcomes.length} addresses, names, redirects and rebindings; not refused at once`,
    figure: `${connections}; ${notRefused.length}`,
    ok: connections === 0 && notRefused.length === 0,
  });
  expect([connections, notRefused, askedAgain]).toEqual([0, [], []]);
  expect(outcomes.length).toBeGreaterThanOrEqual(60);
});

test("no method, and no WebSocket, leads there either", async () => {
  const methods = ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
  for (const method of methods) expect([method, await outcome(canaryAt("127.0.0.1"), { method })]).toEqual([method, REFUSED]);
  const socket = new WebSocket(canaryAt("127.0.0.1", "ws"));
  await new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));

  expect(connections).toBe(0);
});

test("of a name's addresses only the public ones are tried", async () => {
  expect([REFUSED, 200]).not.toContain(await outcome(canaryAt("mixed.test")));
  expect(connections).toBe(0);
});

test("where nothing guards it, the canary hears of this", async () => {
  const before = connections;
  await new Promise((resolve) => unguardedRequest(canaryAt("127.0.0.1"), resolve).end());

  expect(connections).toBe(before + 1);
  connections = before;
});

describe("what a setting names is reached", () => {
  test("its redirects are followed, and its packed answers read", async () => {
    const response = await fetch(redirectTo("/elsewhere"));

    expect([response.status, response.redirected, await response.text()]).toEqual([200, true, "well"]);
  });

  test("at that very scheme and host only", async () => {
    const origin = originOf(redirecting);

    expect(await outcome(origin.replace("http:", "https:"))).toBe(REFUSED);
    expect(await outcome(origin.replace("127.0.0.1", "localhost"))).toBe(REFUSED);
  });

  test("Resend gets its letters", async () => {
    await sendByResend(LETTER, { apiKey: "re_secret", baseUrl: resend.url });

    expect(resend.delivered).toHaveLength(1);
  });
});

test("where Node's fetch does not heed the guard, Heard does not start", async () => {
  const unheeding = () => Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("no such name"), { code: "ENOTFOUND" }) }));
  vi.stubGlobal("fetch", unheeding);

  await expect(guardOutbound([originOf(redirecting)], answer)).rejects.toMatchObject({
    code: "STARTUP_ERROR",
    message: expect.stringContaining("use Node 24"),
  });
  vi.unstubAllGlobals();
});
