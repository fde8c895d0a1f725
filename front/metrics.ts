import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "#lib/env";
import { log } from "#lib/log";
import { hasMetrics, renderMetrics } from "#lib/metrics";
import { hashToken } from "#lib/tokens";

/** Whether `url` asks for the figures of this start's processes, where there are any; else it is an address like every other that does not exist. */
export function isMetricsAddress(url: string): boolean {
  return hasMetrics() && /^\/metrics\/?(\?|$)/.test(url);
}

/** Answers with the figures of all processes of this start for Prometheus, to who knows the token. */
export function answerMetrics({ method, headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Cache-Control", "no-store");
  if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
  if (!isTokenIn(headers.authorization)) return void response.writeHead(401, { "WWW-Authenticate": 'Bearer realm="Heard metrics"' }).end();
  renderMetrics().then(
    ({ body, type }) => response.writeHead(200, { "Content-Type": type }).end(body),
    (error: unknown) => {
      log.error({ err: error }, "the metrics could not be made");
      response.writeHead(500).end();
    },
  );
}

function isTokenIn(authorization = ""): boolean {
  const [, token = ""] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  return timingSafeEqual(hashToken(token), hashToken(env().METRICS_TOKEN ?? ""));
}
