import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";

export type SharedCache = {
  url: string;
  /** How many answers came out of it without asking, and how many after asking whether they are still good. */
  served: { stored: number; confirmed: number };
  close(): Promise<void>;
};

type Answer = { status: number; headers: Record<string, string | string[]>; body: Buffer };
type Stored = Answer & { path: string; chosenBy: Record<string, string>; storedAt: number };

// How long a careless cache keeps what nobody gave a time to.
const GUESSED_SECONDS = 60;
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length"];

/**
 * Starts a cache in front of `origin` that many people share, as nginx or a CDN is set up carelessly: it keeps whatever Cache-Control, Vary and Set-Cookie do not
 * forbid (RFC 9111 §3), guesses how long, and does not care that somebody was signed in. Close it in the end.
 */
export async function startSharedCache(origin: string): Promise<SharedCache> {
  const stored: Stored[] = [];
  const served = { stored: 0, confirmed: 0 };

  async function answer(method: string, path: string, headers: IncomingHttpHeaders): Promise<Answer> {
    const known = method === "GET" ? stored.findLast((one) => one.path === path && isChosen(one, headers)) : undefined;
    if (known && isFresh(known)) {
      served.stored += 1;
      return known;
    }
    const etag = known && header(known, "etag");
    const fresh = await ask(`${origin}${path}`, method, { ...headers, ...(etag && !headers["if-none-match"] && { "if-none-match": etag }) });
    if (known && etag && fresh.status === 304 && headers["if-none-match"] === undefined) {
      served.confirmed += 1;
      return known;
    }
    if (method === "GET" && mayKeep(fresh)) stored.push({ ...fresh, path, chosenBy: chosenBy(fresh, headers), storedAt: Date.now() });
    return fresh;
  }

  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    answer(method, url, headers).then(
      ({ status, headers: given, body }) => outgoing.writeHead(status, given).end(body),
      (error: unknown) => outgoing.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, served, close };
}

async function ask(url: string, method: string, headers: IncomingHttpHeaders): Promise<Answer> {
  const { connection: _, ...rest } = headers;
  const response = await request(url, { method: method as "GET", headers: rest });
  const kept = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name)) as [string, string | string[]][];
  return { status: response.statusCode, headers: Object.fromEntries(kept), body: Buffer.from(await response.body.arrayBuffer()) };
}

function header({ headers }: Answer, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : [value].flat().join(", ");
}

function directives(answer: Answer): string[] {
  return (header(answer, "cache-control") ?? "").split(",").map((directive) => directive.trim().toLowerCase());
}

function mayKeep(answer: Answer): boolean {
  const isForbidden = ["no-store", "private"].some((directive) => directives(answer).includes(directive));
  return [200, 203, 301, 308, 404, 410].includes(answer.status) && !isForbidden && !answer.headers["set-cookie"] && header(answer, "vary") !== "*";
}

function isFresh(stored: Stored): boolean {
  const all = directives(stored);
  if (all.includes("no-cache")) return false;
  const seconds = all.map((directive) => /^(?:s-maxage|max-age)=(\d+)$/.exec(directive)?.[1]).find(Boolean);
  return Date.now() - stored.storedAt < Number(seconds ?? GUESSED_SECONDS) * 1000;
}

/** The request's values of the headers that an answer depends on. */
function chosenBy(answer: Answer, headers: IncomingHttpHeaders): Record<string, string> {
  const names = (header(answer, "vary") ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.fromEntries(names.filter(Boolean).map((name) => [name, String(headers[name] ?? "")]));
}

function isChosen({ chosenBy: wanted }: Stored, headers: IncomingHttpHeaders): boolean {
  return Object.entries(wanted).every(([name, value]) => String(headers[name] ?? "") === value);
}
