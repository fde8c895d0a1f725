import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, setGlobalDispatcher } from "undici";
import { log } from "./log.ts";
import { isPublicAddress } from "./outbound/addresses.ts";
import { StartupError } from "./startup-error.ts";

/** Asks for all addresses of a name, as Node's `dns.lookup` does. */
type Resolve = (hostname: string, options: { all: true }, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** What a refused `fetch` fails by: the `code` of its `cause`. */
const REFUSED = "OUTBOUND_REFUSED";
// RFC 6761: nobody will ever have this name, so asking for it shows who is asked.
const NOWHERE = "heard.invalid";
// As Node's own fetch does: HTTP/1.1 alone.
const PROTOCOL = { allowH2: false };

/**
 * From now on `fetch`, whoever in this process calls it, connects to public addresses alone, and to `trustedOrigins`, such as `http://127.0.0.1:3000`.
 * What is checked is the address that the connection goes to, each time one is made: of a redirect's hops each, and of a name what it means at that moment.
 * @throws StartupError if this Node's `fetch` does not heed it
 */
export async function guardOutbound(trustedOrigins: string[], resolve: Resolve = lookup): Promise<void> {
  const trusted = new Set(trustedOrigins.map((origin) => URL.parse(origin)?.origin));
  const connectAnywhere = buildConnector(PROTOCOL);
  const connectPublicly = buildConnector({ ...PROTOCOL, lookup: publicLookup(resolve) });
  const connect: typeof connectAnywhere = (options, callback) => {
    const { protocol, host = "", hostname } = options;
    if (hostname === NOWHERE) return callback(refusal(hostname), null);
    if (trusted.has(`${protocol}//${host}`)) return connectAnywhere(options, callback);
    // Node looks up names only.
    if (isIP(hostname) && !isPublicAddress(hostname)) return callback(refused(hostname, hostname), null);
    connectPublicly(options, callback);
  };
  setGlobalDispatcher(new Agent({ connect }));
  await assertHeeded();
}

/** A lookup that knows a name's public addresses alone. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first, ...more] = addresses?.filter(({ address }) => isPublicAddress(address)) ?? [];
      if (error) done(error, []);
      else if (!first) done(refused(hostname, addresses[0]?.address ?? "no address"), []);
      else if (options.all) done(null, [first, ...more]);
      else done(null, first.address, first.family);
    });
}

function refused(hostname: string, address: string): Error {
  log.warn({ host: hostname, address }, "a request to an address that is not public was refused");
  return refusal(hostname);
}

function refusal(hostname: string): Error {
  return Object.assign(new Error(`${hostname} is no public address, and no setting names it.`), { code: REFUSED });
}

// How Node's fetch learns of another agent is between it and undici, and has changed without a word before (https://github.com/nodejs/undici/pull/4962).
async function assertHeeded(): Promise<void> {
  const error = await fetch(`http://${NOWHERE}/`).catch((failure: Error) => failure.cause);
  if ((error as { code?: string } | undefined)?.code !== REFUSED)
    throw new StartupError(`Heard cannot guard what Node ${process.versions.node} fetches: use Node 24.`);
}
