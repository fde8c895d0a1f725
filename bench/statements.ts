import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { load, type Target } from "./load.ts";

/** Frontend messages by which PostgreSQL runs a statement: Query, and Bind of the extended protocol (PostgreSQL's "Message Formats"). */
const RUNS = ["Q", "B"].map((letter) => letter.charCodeAt(0));
/** A message is a letter and its length in four bytes, which counts itself. The first of a connection has no letter. */
const LENGTH_BYTES = 4;

/** So many requests in turn, after as many to warm up: what a server does beside them, by the minute, weighs little then. */
const COUNTED = 300;
const IDLE_MS = 2000;

/** A port that leads to PostgreSQL, and how many statements went through it. */
export type Relay = { port: number; count: () => number; close: () => void };

/** How many statements a request costs, to a tenth: those that went through the relay, less what goes through it while nobody asks. */
export async function statementsPerRequest(relay: Relay, target: Target): Promise<number> {
  await load({ ...target, amount: COUNTED });
  const [start, startedAt] = [relay.count(), performance.now()];
  const { failed } = await load({ ...target, amount: COUNTED });
  if (failed > 0) return Number.POSITIVE_INFINITY;
  const [counted, took] = [relay.count() - start, performance.now() - startedAt];
  await sleep(IDLE_MS);
  const idle = ((relay.count() - start - counted) * took) / IDLE_MS;
  return Math.round((10 * (counted - idle)) / COUNTED) / 10;
}

/** Stands between a server and PostgreSQL on this machine, and counts the statements that go through. */
export async function countStatements(databasePort: number): Promise<Relay> {
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
