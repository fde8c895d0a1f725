/** The circumstances of a request that some rules depend on. Never says who is asking: that is the viewer. */
export type Visit = {
  /** The client's address, as `front/front.ts` determined it. */
  ip: string;
  /** The User-Agent, at most 300 characters. */
  device: string;
  /** The origin under which the request reached us, such as `https://feedback.example.com`. */
  ownOrigin: string;
  /** The http(s) origin that the `origin` header names, if any. */
  callerOrigin: string | null;
  /** What the browser got when somebody signed in with it, as it was sent: `knownDevice` tells whether it is genuine. */
  deviceToken: string | null;
};

/** Headers that the front server alone sets: it removes what a client sent under these names. `method` stands only where Next would not take the real one. */
export const FRONT_HEADERS = {
  ip: "x-heard-ip",
  origin: "x-heard-origin",
  method: "x-heard-method",
  requestId: "x-request-id",
  inner: "x-heard-inner",
} as const;

/** The largest body that the API reads: 1 MiB. */
export const API_BODY_BYTES = 1024 * 1024;

/** The cookie of a browser's session: over https, and over plain http. */
export const SESSION_COOKIE = { secure: "__Host-heard.session", plain: "heard.session" } as const;

/** The cookie by which a browser is known that has signed in before: over https, and over plain http. */
export const DEVICE_COOKIE = { secure: "__Host-heard.device", plain: "heard.device" } as const;

const MAX_DEVICE_LENGTH = 300;
/** As long as the column that a site's own address is kept in. */
const MAX_ORIGIN_LENGTH = 300;

/** Reads the circumstances from a request's headers. */
export function visitOf(headers: Headers): Visit {
  const cookies = headers.get("cookie");
  return {
    ip: headers.get(FRONT_HEADERS.ip) ?? "unknown",
    device: printable(headers.get("user-agent") ?? "").slice(0, MAX_DEVICE_LENGTH),
    ownOrigin: headers.get(FRONT_HEADERS.origin) ?? "http://localhost:3000",
    callerOrigin: httpOrigin(headers.get("origin")),
    deviceToken: readCookie(cookies, DEVICE_COOKIE.secure) ?? readCookie(cookies, DEVICE_COOKIE.plain) ?? null,
  };
}

/** The value of the cookie called `name` in a `Cookie` header, as it was sent; of several with that name the last, as Next reads them for pages. */
export function readCookie(cookies: string | null | undefined, name: string): string | undefined {
  return cookies
    ?.split(";")
    .map((pair) => pair.trim())
    .findLast((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** The origin of `value` if it is an http(s) address without a path, of at most 300 characters, else null. */
export function httpOrigin(value: string | null): string | null {
  if (!value || !URL.canParse(value)) return null;
  const url = new URL(value);
  const isBare = url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  return /^https?:$/.test(url.protocol) && isBare && url.origin.length <= MAX_ORIGIN_LENGTH ? url.origin : null;
}

function printable(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, "");
}
