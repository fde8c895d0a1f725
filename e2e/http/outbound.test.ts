import { createServer } from "node:http";
import { type AddressInfo, createServer as createPlainServer, type Server } from "node:net";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer } from "../server.ts";

const SOON = { timeout: 15_000, interval: 50 };

/** Has `server` listen on loopback until the test is over, and returns its origin. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a mail service on a private host is used where a setting names it, and cannot lead the process elsewhere on this machine", async () => {
  let connections = 0;
  const canary = await listen(
    createPlainServer((socket) => {
      connections += 1;
      socket.destroy();
    }),
  );
  let isLeadingAway = true;
  let letters = 0;
  const mailService = createServer((request, response) => {
    request.resume();
    if (isLeadingAway) return response.writeHead(307, { location: `${canary}/emails` }).end();
    letters += 1;
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"1"}');
  });
  const env = { MAIL: "resend", RESEND_API_KEY: "re_hush", RESEND_BASE_URL: `${await listen(mailService)}/` };
  const server = await startServer({ template: inject("databaseTemplate"), env });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  onTestFinished(api.close);
  const email = newEmail();

  await api.post("/auth/setup", { email, password: PASSWORD });
  await api.post("/auth/password/reset", { email });
  await vi.waitFor(() => expect(server.logs()).toContain("a request to an address that is not public was refused"), SOON);
  isLeadingAway = false;
  await api.post("/auth/signup", { email: newEmail(), password: PASSWORD });
  await vi.waitFor(() => expect(letters).toBeGreaterThan(0), SOON);

  expect(connections).toBe(0);
});
