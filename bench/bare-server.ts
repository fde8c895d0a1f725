import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the fastest server of this runtime could do: it gives out one answer, read from the file that it is told, and nothing else. Says its port. */
const { headers, body } = JSON.parse(readFileSync(process.argv[2] as string, "utf8")) as { headers: Record<string, string>; body: string };
const bytes = Buffer.from(body);

const server = createServer((_request, response) => response.writeHead(200, headers).end(bytes));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
