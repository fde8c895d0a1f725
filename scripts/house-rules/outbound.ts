import { importsOf } from "./imports.ts";
import { type Finding, isTest, lineAt, type Source } from "./source.ts";

/** What opens connections past `lib/outbound.ts`; and of it what only listens, tells or names, if there is such. */
const WAYS_OUT: [RegExp, string[]][] = [
  [/^(node:)?net$/, ["createServer", "Server", "isIP", "isIPv4", "isIPv6", "BlockList", "SocketAddress"]],
  [/^(node:)?http$/, ["createServer"]],
  [/^(node:)?(https|http2|tls|dgram)$/, []],
  [/^undici($|\/)/, []],
];

/** What may open connections all the same, and why. */
const NAMED = [
  // The guard.
  /^lib\/outbound\.ts$/,
  // A socket in a folder, to the process that has the embedded database.
  /^lib\/control\.ts$/,
  // To the database, as `pg` does.
  /^lib\/postgres\/silence\.ts$/,
];

/** What leaves by HTTP leaves by `fetch`, which is guarded. */
export function checkOutbound(sources: Source[]): Finding[] {
  return sources.flatMap((source) => {
    if (!source.program || isTest(source.path) || NAMED.some((named) => named.test(source.path))) return [];
    return importsOf(source.program).flatMap(({ from, names, isTypeOnly, offset }) => {
      const harmless = WAYS_OUT.find(([way]) => way.test(from))?.[1];
      if (!harmless || isTypeOnly || (harmless.length > 0 && names.every((name) => harmless.includes(name)))) return [];
      return [{ path: source.path, line: lineAt(source, offset), message: `imports "${from}" past the guard in lib/outbound.ts: what goes out goes by fetch` }];
    });
  });
}
