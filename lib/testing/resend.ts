import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A letter that the stand-in accepted. */
export type ResendMail = { idempotencyKey: string | null; from: string; to: string[]; subject: string; html: string; text: string };

/** How the stand-in answers: as Resend does, refusing at its limit, failing, being away, or not at all although it takes the letter. */
export type ResendMood = "well" | "rate-limited" | "failing" | "unavailable" | "accepting-then-silent";

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
  /** Ends every connection, also those that wait for an answer. */
  cut(): void;
  close(): Promise<void>;
};

type State = Omit<TestResendServer, "url" | "port" | "cut" | "close">;

/** Starts a stand-in for Resend's API on loopback, which honors Idempotency-Key as Resend documents it. Close it in the end. */
export async function startResendServer({ port = 0 }: { port?: number } = {}): Promise<TestResendServer> {
  const state: State = { mood: "well", delivered: [], requestCount: 0, authorization: null };
  const bodies = new Map<string, string>();
  // Whoever asks ends the connections that nothing goes over: ended here, one may just be used again.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    state.requestCount += 1;
    state.authorization = request.headers.authorization ?? null;
    const body = await textOf(request);
    const refusal = refusalOf(request, state.mood) ?? take(state, bodies, { key: request.headers["idempotency-key"]?.toString() ?? null, body });
    if (refusal) answer(response, refusal);
    else if (state.mood === "well") answer(response, { statusCode: 200, id: crypto.randomUUID() });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  const cut = () => server.closeAllConnections();
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return Object.assign(state, { port: bound, url: `http://127.0.0.1:${bound}`, cut, close });
}

type Refusal = { statusCode: number; name: string; message: string };

function refusalOf({ method, url }: IncomingMessage, mood: ResendMood): Refusal | null {
  if (method !== "POST" || url !== "/emails") return { statusCode: 404, name: "not_found", message: "Not found" };
  if (mood === "rate-limited") return { statusCode: 429, name: "rate_limit_exceeded", message: "Too many requests" };
  if (mood === "failing") return { statusCode: 500, name: "application_error", message: "An unexpected error occurred" };
  if (mood === "unavailable") return { statusCode: 503, name: "service_unavailable", message: "Service unavailable" };
  return null;
}

/** Delivers what is new; what came before under the same key is delivered no second time. */
function take(state: State, bodies: Map<string, string>, { key, body }: { key: string | null; body: string }): Refusal | null {
  const earlier = key === null ? undefined : bodies.get(key);
  if (earlier !== undefined) return earlier === body ? null : { statusCode: 409, name: "invalid_idempotent_request", message: "Same key, other payload" };
  if (key !== null) bodies.set(key, body);
  state.delivered.push({ ...(JSON.parse(body) as Omit<ResendMail, "idempotencyKey">), idempotencyKey: key });
  return null;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response: ServerResponse, body: { statusCode: number; id?: string }): void {
  const isTemporary = body.statusCode === 429 || body.statusCode === 503;
  response.writeHead(body.statusCode, { "content-type": "application/json", ...(isTemporary && { "retry-after": "1" }) }).end(JSON.stringify(body));
}
