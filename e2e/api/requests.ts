import { connect } from "node:net";
import { request } from "undici";
import { type Came, checkAnswer, flatHeaders } from "./client.ts";

/** An answer as it came, byte by byte: nothing is followed. Of an operation of the API it was checked. */
export type Plain = Came & { cookies: string[] };

export type Asking = { method?: string; headers?: Record<string, string>; body?: string };

/** What `url` answers a browser at `path`. */
export async function ask(url: string, path: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Plain> {
  const response = await request(`${url}${path}`, { method: method as "GET", headers: { accept: "text/html,*/*;q=0.8", ...headers }, body });
  const text = Buffer.from(await response.body.arrayBuffer()).toString("latin1");
  const { "set-cookie": cookies = [], ...rest } = response.headers;
  const answer = { method, path, status: response.statusCode, headers: flatHeaders(rest), cookies: [cookies].flat(), text };
  await checkAnswer(url, { ...answer, text: inUtf8(text) });
  return answer;
}

/** What a page that is open already gets of the one at `path`: React's own form of it, behind the address that Next leads to by the headers it is asked with. */
export async function askForParts(url: string, path: string, { headers, ...asking }: Asking = {}): Promise<Plain> {
  const parts = { ...asking, headers: { accept: "*/*", ...headers, rsc: "1" } };
  const answer = await ask(url, path, parts);
  const { location } = answer.headers;
  return location?.startsWith("/") && /[?&]_rsc\b/.test(location) ? { ...(await ask(url, location, parts)), path } : answer;
}

/** What comes back for a request that no HTTP client would send: its first line, and headers behind it. */
export async function sendLine(url: string, line: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const received = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${line}\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`));
    let answer = "";
    socket.setEncoding("latin1").on("data", (text) => (answer += text));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
  if ((await checkReceived(url, [line], received)) !== 1) throw new Error(`No whole answer came to ${line.slice(0, 80)}`);
  return received;
}

/** The same, read as far as `ask` reads an answer. */
export async function askByLine(url: string, line: string): Promise<Plain> {
  const [answer = { status: 0, headers: {}, text: "" }] = answersTo([line], await sendLine(url, line));
  const [method = "", path = ""] = line.split(" ");
  return { method, path: path.slice(0, 40), ...answer, cookies: [] };
}

/** Checks what came over a connection for requests that begin with these lines, as `checkAnswer` does: as many answers as it says, for those that broke off are not looked at. */
export async function checkReceived(url: string, lines: string[], received: string): Promise<number> {
  const answers = answersTo(lines, received);
  for (const [index, answer] of answers.entries()) {
    // Of a head that is too long, and of a head or body that came too late, no operation hears: Node refuses them, and the document has no words for it.
    if ([408, 431].includes(answer.status)) continue;
    const [method = "", target = ""] = lines[index]?.split(" ") ?? [];
    await checkAnswer(url, { method, path: target.replace(/^https?:\/\/[^/]*/, ""), ...answer, text: inUtf8(answer.text) });
  }
  return answers.length;
}

type Received = Omit<Came, "method" | "path">;

/** The whole answers in `received`, one for each request at most. */
function answersTo(lines: string[], received: string): Received[] {
  const answers: Received[] = [];
  let rest = received;
  for (const line of lines) {
    const [head = "", ...behind] = rest.split("\r\n\r\n");
    const answer = headOf(head);
    const isEmpty = line.startsWith("HEAD ") || [204, 304].includes(answer.status);
    const body = isEmpty ? { text: "", rest: behind.join("\r\n\r\n") } : bodyOf(answer.headers, behind.join("\r\n\r\n"));
    if (behind.length === 0 || !body) break;
    answers.push({ ...answer, text: body.text });
    rest = body.rest;
  }
  return answers;
}

function headOf(head: string): Pick<Received, "status" | "headers"> {
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(headers) };
}

/** The body that `received` begins with, and what follows it (RFC 9112 §6.3); null where it broke off. */
function bodyOf(headers: Record<string, string>, received: string): { text: string; rest: string } | null {
  if (headers["transfer-encoding"] === "chunked") return unchunked(received);
  const length = Number(headers["content-length"] ?? received.length);
  return received.length < length ? null : { text: received.slice(0, length), rest: received.slice(length) };
}

function unchunked(received: string): { text: string; rest: string } | null {
  let [text, rest] = ["", received];
  for (;;) {
    const [line = "", size = ""] = /^([\da-f]+)\r\n/i.exec(rest) ?? [];
    const end = line.length + Number.parseInt(size, 16);
    if (line === "" || rest.slice(end, end + 2) !== "\r\n") return null;
    text += rest.slice(line.length, end);
    rest = rest.slice(end + 2);
    if (end === line.length) return { text, rest };
  }
}

/** Answers are read byte by byte here. */
function inUtf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
