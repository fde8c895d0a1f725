import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A way to PostgreSQL: open, slow (everything sent arrives later), shut (who comes is refused, who is there dropped), stalled (who asks hears nothing), or forgetful (who is there hears nothing, who comes is let through). */
export type Gate = { port: number; shut(): void; stall(): void; forget(): void; slowDown(byMs: number): void; open(): Promise<void> };

/** Opens a way to the PostgreSQL at `url`. */
export async function openGate({ hostname, port }: URL): Promise<Gate> {
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let [isStalled, delayMs] = [false, 0];
  const pass = (from: Socket, to: Socket) => {
    // One after another, so that nothing overtakes what was sent while the way was slower.
    let before = Promise.resolve();
    const later = (act: () => void) => {
      const due = Date.now() + delayMs;
      before = before.then(() => sleep(Math.max(0, due - Date.now()))).then(act);
    };
    from.on("data", (chunk) => {
      if (!isStalled && !forgotten.has(from)) later(() => void (to.writable && to.write(chunk)));
    });
    from.on("end", () => later(() => void to.end()));
  };
  const server: Server = createServer((incoming) => {
    const outgoing = connect(Number(port || 5432), hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;
  const shut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: bound,
    shut,
    stall: () => {
      isStalled = true;
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    slowDown: (byMs) => {
      delayMs = byMs;
    },
    open: async () => {
      [isStalled, delayMs] = [false, 0];
      if (!server.listening) await listen(bound);
    },
  };
}
