import { connect } from "node:net";
import { request } from "undici";

/** An answer as it came: nothing is followed, and nothing checked. */
export type Plain = { method: string; path: string; status: number; headers: Record<string, string>; cookies: string[]; text: string };

export type Asking = { method?: string; headers?: Record<string, string>; body?: string };

/** What `url` answers a browser at `path`. */
export async function ask(url: string, path: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Plain> {
  const response = await request(`${url}${path}`, { method: method as "GET", headers: { accept: "text/html,*/*;q=0.8", ...headers }, body });
  const text = Buffer.from(await response.body.arrayBuffer()).toString("latin1");
  const { "set-cookie": cookies = [], ...rest } = response.headers;
  const flat = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  return { method, path, status: response.statusCode, headers: flat, cookies: [cookies].flat(), text };
}

/** What a page that is open already gets of the one at `path`: React's own form of it, behind the address that Next leads to by the headers it is asked with. */
export async function askForParts(url: string, path: string, { headers, ...asking }: Asking = {}): Promise<Plain> {
  const parts = { ...asking, headers: { accept: "*/*", ...headers, rsc: "1" } };
  const answer = await ask(url, path, parts);
  const { location } = answer.headers;
  return location?.startsWith("/") && /[?&]_rsc\b/.test(location) ? { ...(await ask(url, location, parts)), path } : answer;
}

/** What comes back for a request that no HTTP client would send: its first line, and headers behind it. */
export function sendLine(url: string, line: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${line}\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`));
    let answer = "";
    socket.setEncoding("latin1").on("data", (text) => (answer += text));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

/** The same, read as far as `ask` reads an answer. */
export async function askByLine(url: string, line: string): Promise<Plain> {
  const [head = "", ...body] = (await sendLine(url, line)).split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(lines.map((header) => [header.slice(0, header.indexOf(":")).toLowerCase(), header.slice(header.indexOf(":") + 1).trim()]));
  const [method = "", path = ""] = line.split(" ");
  return { method, path: path.slice(0, 40), status: Number(first.split(" ")[1]), headers, cookies: [], text: body.join("\r\n\r\n") };
}
