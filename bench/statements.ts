import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";

/** Frontend messages by which PostgreSQL runs a statement: Query, and Bind of the extended protocol (PostgreSQL's "Message Formats"). */
const RUNS = ["Q", "B"].map((letter) => letter.charCodeAt(0));
/** A message is a letter and its length in four bytes, which counts itself. The first of a connection has no letter. */
const LENGTH_BYTES = 4;

/** Stands between a server and PostgreSQL on this machine, and counts the statements that go through. */
export async function countStatements(databasePort: number): Promise<{ port: number; count: () => number; close: () => void }> {
  let count = 0;
  const relay = createServer((client) => {
    const database = connect(databasePort, "127.0.0.1");
    const read = messageReader((letter) => {
      if (RUNS.includes(letter)) count++;
    });
    client.on("data", read);
    client.pipe(database).pipe(client);
    client.on("error", () => database.destroy());
    database.on("error", () => client.destroy());
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  return { port: (relay.address() as AddressInfo).port, count: () => count, close: () => relay.close() };
}

/** Takes a connection's bytes as they come, and tells each message's letter. */
function messageReader(onMessage: (letter: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length > LENGTH_BYTES) {
      const letterBytes = isFirst ? 0 : 1;
      const size = letterBytes + rest.readUInt32BE(letterBytes);
      if (rest.length < size) return;
      if (!isFirst) onMessage(rest[0] as number);
      isFirst = false;
      rest = rest.subarray(size);
    }
  };
}
