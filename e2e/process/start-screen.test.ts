import { expect, inject, onTestFinished, test, vi } from "vitest";
import { isToldHere } from "#lib/testing/scale";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { readRows } from "../stored.ts";

const isPostgres = Boolean(process.env.TEST_DATABASE_URL);
const template = inject("databaseTemplate");

/** The screen of a server that just got ready, row by row: what it printed that is no line of its log. */
async function screenOf(server: Awaited<ReturnType<typeof startServer>>): Promise<Record<string, string>> {
  // It answers a moment before it says so.
  await vi.waitFor(() => expect(rowsOf(server)).toHaveProperty("Stop"), { timeout: 10_000 });
  return rowsOf(server);
}

function rowsOf({ logs, logLines }: Awaited<ReturnType<typeof startServer>>): Record<string, string> {
  const logged = new Set(logLines());
  const printed = logs()
    .split("\n")
    .filter((line) => !logged.has(line));
  return Object.fromEntries(
    printed.flatMap((line) => [...line.matchAll(/^ {2}(Open|Listens on|Data|Mail|Stop) +(.+)$/g)].map(([, name, value]) => [name, value])),
  );
}

test("a start prints where the site is, where its data lives, where mail goes, and how to change that", async () => {
  // Which address that is the system says.
  const server = await startServer({ template, env: { HOST: "127.1" } });
  onTestFinished(server.remove);
  const { port } = new URL(server.url);

  const screen = await screenOf(server);

  expect(screen.Open).toBe(`http://localhost:${port}/setup`);
  expect(screen["Listens on"]).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port}, reachable from this machine only; HOST=0\\.0\\.0\\.0 opens it`));
  if (isPostgres) expect(screen.Data).toBe(`PostgreSQL at ${new URL(server.databaseUrl).host}${new URL(server.databaseUrl).pathname}`);
  else expect(screen.Data).toBe(`embedded database in ${server.dataDir}; DATABASE_URL=postgresql://… uses PostgreSQL instead`);
  expect(screen.Mail).toBe("stays in the outbox at /dashboard/outbox; SMTP_URL=… or RESEND_API_KEY=… sends it");
  expect(screen.Stop).toBe("Ctrl-C");
});

test.runIf(isToldHere).each([
  ["HOST", "0.0.0.0"],
  ["HOST", "0"],
  ["SITE_URL", "https://feedback.example.com"],
  ["TRUSTED_PROXIES", "1"],
])("where others could set the site up, by %s=%s, the screen says so, and how to keep them out", async (name, value) => {
  const server = await startServer({ template, env: { [name]: value } });
  onTestFinished(server.remove);
  const screen = await screenOf(server);

  expect(screen["Listens on"]).not.toContain("from this machine only");
  expect(server.logs()).toContain("Nobody owns this site yet: whoever opens it first becomes its owner. SETUP_TOKEN=… keeps others out.");
});

test.runIf(isToldHere)("where others would need a token to set the site up, the screen says nothing of it", async () => {
  const server = await startServer({ template, env: { HOST: "0.0.0.0", SETUP_TOKEN: "garden-gate-77" } });
  onTestFinished(server.remove);
  const screen = await screenOf(server);

  expect(screen["Listens on"]).not.toContain("from this machine only");
  expect(server.logs()).not.toContain("Nobody owns this site yet");
});

test("the secret that nobody gave is made once, and printed by no start", async () => {
  const server = await startServer({ template, env: { LOG_LEVEL: "debug" } });
  onTestFinished(server.remove);
  await server.stop();
  const secretOf = () => readRows<{ value: string }>(server, `SELECT value FROM "Secret"`);
  const [made] = await secretOf();
  const again = await startServer({ from: server, env: { LOG_LEVEL: "debug" } });
  await again.stop();

  expect(made?.value).toMatch(/^[\w-]{64}$/);
  expect(await secretOf()).toEqual([made]);
  for (const { logs } of [server, again]) expect(logs()).not.toContain(made?.value);
});

test.runIf(isToldHere)("a site that has an owner is opened at its first page, or where its settings say; no secret is printed", async () => {
  const settings = { SITE_URL: "https://feedback.example.com", SMTP_URL: "smtp://heard:hush-hush@127.0.0.1:1", MAIL: "" };
  const site = await startSite({ template, env: settings });
  onTestFinished(site.remove);
  await site.stop();
  const server = await startServer({ from: site, env: settings });
  onTestFinished(server.remove);

  const screen = await screenOf(server);

  expect(screen.Open).toBe("https://feedback.example.com");
  expect(screen.Mail).toBe("goes out through 127.0.0.1:1");
  expect(server.logs()).not.toContain("hush-hush");
});
