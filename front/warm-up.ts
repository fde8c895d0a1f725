import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { log } from "#lib/log";

/** What each visitor needs sooner or later: pages, a form, the API. */
const ASKED = ["/", "/login", "/search", "/api/v1/boards", "/api/v1/settings/site"];
const ROUNDS = 4;

/** An address at which this process answers nobody but itself. */
export type PrivateDoor = { origin: string; close(): void };

/** Opens a door that no other process of this start shares. */
export async function openPrivateDoor(handle: RequestListener): Promise<PrivateDoor> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port: 0, host: "127.0.0.1", exclusive: true }, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Has this process load and compile what its first visitors would else wait a second for. Where that fails they will. */
export async function warmUp({ origin }: PrivateDoor): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    // Each address once: what is kept is not made again.
    const answers = ASKED.map(async (path) => (await fetch(`${origin}${path}?warm-up=${round}`)).arrayBuffer());
    await Promise.all(answers).catch((error: unknown) => log.warn({ err: error }, "this process could not be warmed up"));
  }
}
