import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A letter that the stand-in accepted. */
export type ResendMail = { idempotencyKey: string | null; from: string; to: string[]; subject: string; html: string; text: string };

/** How the stand-in answers: as Resend does, refusing at its limit, failing, or not at all. */
export type ResendMood = "well" | "rate-limited" | "failing" | "silent" | "accepting-then-silent";

export type TestResendServer = {
  /** A value for RESEND_BASE_URL. */
  url: string;
  port: number;
  mood: ResendMood;
  /** Letters that went out to people: once per idempotency key. Newest last. */
  delivered: ResendMail[];
  /** Every request that reached it. */
  requestCount: number;
  /** The Authorization header of the last request. */
  authorization: string | null;
  close(): Promise<void>;
};

/** Starts a stand-in for Resend's API on loopback, which honours Idempotency-Key as Resend documents it. Close it in the end. */
export async function startResendServer({ port = 0 }: { port?: number } = {}): Promise<TestResendServer> {
  const state = { mood: "well" as ResendMood, delivered: [] as ResendMail[], requestCount: 0, authorization: null as string | null };
  const bodies = new Map<string, string>();
  const server = createServer(async (request, response) => {
    state.requestCount += 1;
    state.authorization = request.headers.authorization ?? null;
    const body = await textOf(request);
    if (request.method !== "POST" || request.url !== "/emails") return answer(response, 404, { name: "not_found", message: "Not found" });
    if (state.mood === "rate-limited") return answer(response, 429, { name: "rate_limit_exceeded", message: "Too many requests" });
    if (state.mood === "failing") return answer(response, 500, { name: "application_error", message: "An unexpected error occurred" });
    if (state.mood === "silent") return;
    const key = request.headers["idempotency-key"]?.toString() ?? null;
    const earlier = key === null ? undefined : bodies.get(key);
    if (earlier !== undefined && earlier !== body) return answer(response, 409, { name: "invalid_idempotent_request", message: "Same key, other payload" });
    if (earlier === undefined) state.delivered.push({ ...(JSON.parse(body) as Omit<ResendMail, "idempotencyKey">), idempotencyKey: key });
    if (key !== null) bodies.set(key, body);
    if (state.mood === "well") answer(response, 200, { id: crypto.randomUUID() });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(state, { port: bound, url: `http://127.0.0.1:${bound}`, close });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response: ServerResponse, status: number, body: { name?: string; message?: string; id?: string }): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(status === 200 ? body : { statusCode: status, ...body }));
}
