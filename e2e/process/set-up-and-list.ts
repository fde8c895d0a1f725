import { setTimeout as sleep } from "node:timers/promises";

// Sets the site at the given address up once it is ready, makes a board and lists it. Says the two statuses and how many boards there are.
const [url = ""] = process.argv.slice(2);
const post = (path: string, json: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json) });

while (!(await fetch(`${url}/api/health/ready`).catch(() => undefined))?.ok) await sleep(100);
const setup = await post("/auth/setup", { email: "owner@example.com", password: "a long enough password" });
const { user } = (await setup.json()) as { user: { authToken: string } };
const board = await post("/boards", { name: "Offline" }, { authorization: `Bearer ${user.authToken}` });
const { boards } = (await (await fetch(`${url}/api/v1/boards`)).json()) as { boards: unknown[] };
process.stdout.write(`${setup.status} ${board.status} ${boards.length}\n`);
