import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to PostgreSQL: open, shut (who comes is refused, who is there dropped), or stalled (who asks hears nothing). */
export type Gate = { port: number; shut(): void; stall(): void; open(): Promise<void> };

/** Opens a way to the PostgreSQL at `url`. */
export async function openGate({ hostname, port }: URL): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server: Server = createServer((incoming) => {
    const outgoing = connect(Number(port || 5432), hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    if (!isStalled) incoming.pipe(outgoing).pipe(incoming);
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;
  const shut = () => {
    isStalled = false;
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const stall = () => {
    isStalled = true;
    for (const socket of sockets) socket.unpipe();
  };
  return { port: bound, shut, stall, open: () => listen(bound) };
}
