import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { env } from "#lib/env";
import { type ErrorCode, FAILED_MESSAGE, SOON_SECONDS } from "#lib/errors";
import { log } from "#lib/log";
import { nextPath } from "#lib/next-path";
import { linger, type TakePiece } from "./linger.ts";
import { splitOnce } from "./paths.ts";
import { securityHeaders } from "./security-headers.ts";

/** How much of a form that is too large is read and dropped, so that its sender hears why. */
const MAX_DROPPED_BYTES = 100 * 1024 * 1024;

/** Goes with what is refused for now. */
export const SOON = { "Retry-After": String(SOON_SECONDS) };

const COME_AGAIN = { code: "SERVER_ERROR" satisfies ErrorCode, message: FAILED_MESSAGE };

type Refusal = { status: number; code: ErrorCode; message: string };

/** Says no in the form that every failure of the API has. */
export function refuse(response: ServerResponse, { status, code, message }: Refusal, headers: Record<string, string> = {}): void {
  answerJson(response, status, { message, code }, headers);
}

/** Answers with `body`, whole. */
export function answerJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  writeJson(response, status, body, headers);
  response.end();
}

/** Refuses a body that is too large or comes in crumbs, and ends the connection. What it returns drops further pieces, as `linger`. */
export function refuseBody(request: IncomingMessage, response: ServerResponse): TakePiece {
  const refusal = { code: "PAYLOAD_TOO_LARGE" satisfies ErrorCode, message: "The body is too large, or comes in too small pieces." };
  writeJson(response, 413, refusal, { Connection: "close" });
  return linger(request, response);
}

/** Refuses a body for which there is no room just now, and ends the connection. What it returns drops further pieces, as `linger`. */
export function refuseBodyForNow(request: IncomingMessage, response: ServerResponse): TakePiece {
  writeJson(response, 503, COME_AGAIN, { ...SOON, Connection: "close" });
  return linger(request, response);
}

/** Refuses what may come again in a moment. */
export function refuseForNow(response: ServerResponse): void {
  answerJson(response, 503, COME_AGAIN, SOON);
}

function writeJson(response: ServerResponse, status: number, body: object, headers: Record<string, string>): void {
  const text = JSON.stringify(body);
  // Next packs what is short only where nobody says how short, and then it would come after the connection's end.
  const length = { "Content-Length": String(Buffer.byteLength(text)) };
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store", ...length, ...headers }).write(text);
}

/** A program is refused at once. A form with too large a file leads back to its page, where `notice=too-large` says so (`TooLargeNotice`), once the browser has sent everything, for it listens no sooner. */
export function refuseLargeBody(request: IncomingMessage, response: ServerResponse, isApi: boolean): void {
  const isForm = !isApi && !request.headers["next-action"] && Number(request.headers["content-length"]) <= MAX_DROPPED_BYTES;
  if (!isForm) {
    const drop = refuseBody(request, response);
    request
      .on("data", (chunk) => drop(chunk) || request.pause())
      .once("end", () => drop(null))
      .resume();
    return;
  }
  const [path] = splitOnce(request.url ?? "/", "?");
  const headers = { Location: `${nextPath(path)}?notice=too-large`, "Cache-Control": "no-store" };
  request.once("end", () => response.writeHead(303, headers).end()).resume();
}

/** What a page does not know how to answer: says which methods it does. */
export function refuseMethod({ method }: IncomingMessage, response: ServerResponse, allow: string): void {
  response.setHeader("Allow", allow);
  if (method === "OPTIONS") response.writeHead(204, { "Cache-Control": "no-store" }).end();
  else refuse(response, { status: 405, code: "METHOD_NOT_ALLOWED", message: `This address allows ${allow}.` });
}

const BROKEN: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};

/** Answers what is no HTTP, did not arrive in time, or has too long a head, in the same form as every other failure, and hangs up. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = BROKEN[error.code ?? ""] ?? ["400 Bad Request", "The request is no valid HTTP."];
  const requestId = randomUUID();
  const body = JSON.stringify({ message, code: "VALIDATION_ERROR" satisfies ErrorCode });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    // Nothing of the request can be believed: whether the site is at home on https is known by its settings alone.
    ...securityHeaders({ isHttps: env().SITE_URL?.startsWith("https:") ?? false }).map((header) => header.join(": ")),
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Else a body that comes late would still be taken, and done. Of anything else that is broken Node reads no more.
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") socket.destroySoon();
  log.info({ req_id: requestId, route: null, status: Number.parseInt(status, 10), ms: 0 }, "request");
}
