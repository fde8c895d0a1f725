import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { TestSite } from "../site.ts";

/** What each process answers by itself. */
export const LIVE = "/api/health/live";

type Ask = { method?: string; token?: string; json?: unknown; agent?: Agent };

/** Asks on a connection of `agent`, or on a new one, which any process may take. */
export function ask(url: string, path: string, { method = "GET", token, json, agent = new Agent() }: Ask = {}): Promise<{ status: number; body: string }> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(json !== undefined && { "content-type": "application/json" }) };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.once("error", reject).end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** The processes that serve: those that the started one runs. */
export function workersOf({ pid }: Pick<TestSite, "pid">): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Connections that the processes answer, one each. */
export async function connectionsToEach(site: Pick<TestSite, "pid" | "url">): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (const pid of workersOf(site)) agents.push(...(await connectionsTo(site, pid, 1)));
  return agents;
}

/** So many connections that one process answers: the others are stopped while they are opened. */
export async function connectionsTo(site: Pick<TestSite, "pid" | "url">, pid: number, count: number): Promise<Agent[]> {
  const others = workersOf(site).filter((each) => each !== pid);
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  for (const other of others) process.kill(other, "SIGSTOP");
  await Promise.all(agents.map((agent) => ask(site.url, LIVE, { agent }))).finally(() => {
    for (const other of others) process.kill(other, "SIGCONT");
  });
  return agents;
}

/** Begins to write a board on a connection of `agent`; `end` sends what is missing, and returns the status of the answer. */
export function beginBoard({ url, owner }: TestSite, agent: Agent, first: string): { end(rest: string): Promise<number> } {
  const headers = { authorization: `Bearer ${owner.authToken}`, "content-type": "application/json" };
  const sent = request(`${url}/api/v1/boards`, { method: "POST", headers, agent });
  const status = new Promise<number>((resolve, reject) => {
    sent.once("response", (response) => resolve(response.resume().statusCode ?? 0)).once("error", reject);
  });
  status.catch(() => {});
  sent.write(first);
  return {
    end(rest) {
      sent.end(rest);
      return status;
    },
  };
}
