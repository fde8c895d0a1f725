import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { parse } from "pg-connection-string";
import { z } from "zod";
import { RATE_LIMITS, type RateLimit, type RateLimitName } from "./rate-limits/defaults.ts";

/** Thrown by `env()`; its message lists every wrong variable, one line each, with what to write instead. */
export class EnvError extends Error {
  override name = "EnvError";
}

const text = z.string().trim();

const MAKE_SECRET = "make one with: openssl rand -base64 33";
const DRAWN = `must be drawn, and not typed: ${MAKE_SECRET}`;
/** How many different characters a secret has at least. Of 32 hexadecimal ones that are drawn, one in 28 million has fewer. */
const MIN_SECRET_VARIETY = 8;
/** The same of a token, which may be shorter. Of 8 hexadecimal characters that are drawn, one in 1,300 has fewer; of 16, one in 768 million. */
const MIN_TOKEN_VARIETY = 4;

/** In digits alone: a number spelt in another way, such as 1e3 or 0x50, is more likely a slip than meant. */
function wholeNumber(min: number, max: number, example: string) {
  const problem = `must be a whole number from ${min} to ${max}, such as ${example}`;
  return text
    .regex(/^\d{1,9}$/, { error: problem, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
}

const origin = text
  .refine((value) => ["http:", "https:"].includes(parseUrl(value)?.protocol ?? ""), "must be a web address such as https://feedback.example.com")
  .refine((value) => ["", "/"].includes(parseUrl(value)?.pathname ?? "/"), "must be without a path, such as https://feedback.example.com")
  .refine((value) => !/[?#@]/.test(value), "must be no more than scheme, host and port: no user, no query, no fragment")
  .transform((value) => new URL(value).origin);

const host = text.refine(
  (value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(value),
  "must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them",
);

/** PostgreSQL's own (https://www.postgresql.org/docs/current/libpq-ssl.html), and one that pg adds. Any other it would take as verify-full, unsaid. */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
/** What pg knows of another parameter; any other word of it ends the process on the first connection that has TLS (pg 8.23). */
const SSL_WORDS = ["true", "1", "0", "no-verify"];
/** Those that pg 8 takes as verify-full, and warns of at every start. */
const SAME_AS_VERIFY_FULL = /([?&]sslmode=)(allow|prefer|require|verify-ca)(?=&|$)/;
const WITHOUT_TLS = /[?&](ssl=0|sslmode=disable)(?=&|$)/;
const ENCODED = "a % in its password is written %25, a # %23, a / %2F, a ? %3F, an @ %40";

const databaseUrl = text
  .refine(
    // Without the slashes it would lead to this machine, whatever it names.
    (value) => /^postgres(ql)?:\/\//i.test(value) && parseUrl(value) !== null && !throwsAt(() => parse(value.split("?", 1)[0] ?? "")),
    `must be a PostgreSQL address such as postgresql://heard:password@localhost:5432/heard (${ENCODED})`,
  )
  .refine((value) => SSL_MODES.includes(parseUrl(value)?.searchParams.get("sslmode") ?? "disable"), `must have as its sslmode one of ${SSL_MODES.join(", ")}`)
  .refine(
    (value) =>
      parseUrl(value)
        ?.searchParams.getAll("ssl")
        .every((word) => SSL_WORDS.includes(word)) ?? true,
    `must have as its ssl one of ${SSL_WORDS.join(", ")}, or better an sslmode: verify-full, or no-verify where nobody can be in between`,
  )
  .refine((value) => {
    const parameters = parseUrl(value)?.searchParams;
    return parameters?.get("sslmode") !== "verify-ca" || parameters.get("uselibpqcompat") !== "true" || Boolean(parameters.get("sslrootcert"));
  }, "must name the certificate to trust, as &sslrootcert=FILE, where its sslmode is verify-ca along with uselibpqcompat=true")
  .refine((value) => {
    const negotiation = parseUrl(value)?.searchParams.get("sslnegotiation") || "postgres";
    return negotiation === "postgres" || (negotiation === "direct" && !WITHOUT_TLS.test(value));
  }, "must have as its sslnegotiation postgres, or direct where TLS is not switched off")
  // With this word pg takes them as PostgreSQL's own programs do.
  .transform((value) => (value.includes("uselibpqcompat=true") ? value : value.replace(SAME_AS_VERIFY_FULL, "$1verify-full")));

const smtpUrl = text.refine(
  (value) => /^smtps?:$/.test(parseUrl(value)?.protocol ?? "") && parseUrl(value)?.hostname !== "" && !throwsAt(() => decodeURIComponent(loginIn(value))),
  `must look like smtp://user:password@mail.example.com:587 (smtps:// for implicit TLS; ${ENCODED})`,
);

const url = text.refine((value) => /^https?:$/.test(parseUrl(value)?.protocol ?? ""), "must be a web address such as https://api.resend.com");

const contact = text
  .refine(
    (value) => parseUrl(value)?.protocol === "https:" || /^[^\s<>@:]+@[^\s<>@:]+$/.test(value),
    "must be an address such as security@example.com or a page such as https://example.com/security",
  )
  .transform((value) => parseUrl(value)?.href ?? `mailto:${value}`);

/** What a header carries as it is. */
const HEADER_TEXT = /^[!-~]*$/;

/** More would take the connections that PostgreSQL has by default (decision 0023). */
const MAX_DEFAULT_WORKERS = 8;
const MAIL_KINDS = ["outbox", "smtp", "resend", "none"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const rateLimits = text.transform((value, context): "off" | Record<RateLimitName, RateLimit> => {
  if (value === "off") return value;
  const limits: Partial<Record<RateLimitName, RateLimit>> = {};
  const problems: string[] = [];
  for (const part of value === "on" ? [] : value.split(",")) {
    const match = /^\s*([a-z][a-z-]*)=([1-9]\d{0,6})\/([1-9]\d{0,4})([smhd])\s*$/.exec(part);
    const [, name = "", points, span, unit] = (match ?? []) as [string, string, string, string, "s" | "m" | "h" | "d"] | [];
    if (!isRateLimitName(name) || limits[name]) {
      problems.push(match ? unusableLimit(name) : `cannot read "${part.trim()}"`);
      continue;
    }
    limits[name] = { points: Number(points), windowSeconds: Number(span) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? "s"] };
  }
  if (problems.length === 0) return { ...RATE_LIMITS, ...limits };
  context.addIssue({ code: "custom", message: `must be on, off, or a list such as signup=60/30m,login=10/5m (${problems.join("; ")})` });
  return z.NEVER;
});

function variedBy(min: number): (secret: string) => boolean {
  return (secret) => new Set(secret).size >= min;
}

function unusableLimit(name: string): string {
  return isRateLimitName(name) ? `${name} is there twice` : `there is no limit "${name}", only ${Object.keys(RATE_LIMITS).join(", ")}`;
}

function isRateLimitName(name: string): name is RateLimitName {
  return Object.hasOwn(RATE_LIMITS, name);
}

const schema = z.object({
  PORT: wholeNumber(0, 65_535, "3000").default(3000),
  HOST: host.default("127.0.0.1"),
  SETUP_TOKEN: text.min(8, { error: "must have at least 8 characters", abort: true }).refine(variedBy(MIN_TOKEN_VARIETY), DRAWN).optional(),
  SITE_URL: origin.optional(),
  DATA_DIR: text.regex(/^\P{Cc}*$/u, "must be a path without control characters").default("./data"),
  DATABASE_URL: databaseUrl.optional(),
  AUTH_SECRET: text
    .min(32, { error: `must have at least 32 characters; ${MAKE_SECRET}`, abort: true })
    .refine(variedBy(MIN_SECRET_VARIETY), DRAWN)
    .optional(),
  MAIL: z.enum(MAIL_KINDS, `must be one of ${MAIL_KINDS.join(", ")}`).optional(),
  SMTP_URL: smtpUrl.optional(),
  RESEND_API_KEY: text.regex(HEADER_TEXT, "must be of letters, digits and signs of ASCII, as Resend makes them").optional(),
  RESEND_BASE_URL: url.optional(),
  MAIL_FROM: text
    .regex(/^([^<>\r\n]{0,100}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, "must be an address such as noreply@example.com or Heard <noreply@example.com>")
    .optional(),
  SECURITY_CONTACT: contact.optional(),
  ALLOWED_ORIGINS: text
    .default("")
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin)),
  TRUSTED_PROXIES: wholeNumber(0, 10, "1").default(0),
  RATE_LIMITS: rateLimits.prefault("on"),
  KEPT_ANSWERS_MB: wholeNumber(0, 1024, "32").default(32),
  WORKERS: wholeNumber(1, 64, "2").optional(),
  METRICS_TOKEN: text
    .min(16, { error: `must have at least 16 characters; ${MAKE_SECRET}`, abort: true })
    .regex(HEADER_TEXT, { error: `must be of letters, digits and signs of ASCII, as a header carries them; ${MAKE_SECRET}`, abort: true })
    .refine(variedBy(MIN_TOKEN_VARIETY), DRAWN)
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});

type Parsed = z.output<typeof schema>;

/** Heard's settings, as `.env.example` explains them. `MAIL` and `WORKERS` are decided here, so that nothing else has to. */
export type Env = Omit<Parsed, "MAIL" | "WORKERS"> & { MAIL: (typeof MAIL_KINDS)[number]; WORKERS: number };

let parsed: Env | undefined;

/**
 * The settings of this process, read from the environment once.
 * @throws EnvError naming every wrong variable
 */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/**
 * Reads settings from `source`. Empty counts as absent.
 * @throws EnvError naming every wrong variable
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ""));
  const result = schema.safeParse(given);
  const problems = [...(result.error?.issues.map(({ path, message }) => `${namedAs(path)} ${message}`) ?? []), ...mailProblems(given)];
  if (!result.success || problems.length > 0) throw new EnvError(problems.join("\n"));
  return { ...result.data, MAIL: result.data.MAIL ?? mailKind(result.data), WORKERS: workersOf(result.data, given.NODE_ENV) };
}

/** A variable, and which of its parts where it lists some. */
function namedAs([variable, place]: PropertyKey[]): string {
  return typeof place === "number" ? `${String(variable)} (number ${place + 1} of its list)` : String(variable);
}

// Not a refinement of the schema: that would stay silent until every variable by itself is right.
function mailProblems({ MAIL, SMTP_URL, RESEND_API_KEY }: Record<string, string | undefined>): string[] {
  if (MAIL === "smtp" && !SMTP_URL) return ["SMTP_URL is needed by MAIL=smtp"];
  if (MAIL === "resend" && !RESEND_API_KEY) return ["RESEND_API_KEY is needed by MAIL=resend"];
  if (!MAIL && SMTP_URL && RESEND_API_KEY) return ["MAIL must say which one to use, smtp or resend: both SMTP_URL and RESEND_API_KEY are set"];
  return [];
}

/**
 * One for the embedded database, which only one process can have, and for `npm run dev`; else a core each. Eight
 * processes stay well below the 97 connections that a PostgreSQL as it comes lets in (lib/postgres.ts).
 */
function workersOf({ DATABASE_URL, WORKERS = Math.min(availableParallelism(), MAX_DEFAULT_WORKERS) }: Parsed, nodeEnv: string | undefined): number {
  return DATABASE_URL && nodeEnv !== "development" ? WORKERS : 1;
}

function mailKind(settings: Parsed): Env["MAIL"] {
  if (settings.RESEND_API_KEY) return "resend";
  if (settings.SMTP_URL) return "smtp";
  return settings.DATABASE_URL ? "none" : "outbox";
}

function parseUrl(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

function loginIn(value: string): string {
  const { username, password } = new URL(value);
  return `${username}:${password}`;
}

/** Whether a % that begins no character, or the like, has `read` fail, as it would whoever connects. */
function throwsAt(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

/** Next and React read NODE_ENV themselves; set before they are loaded further. */
export function useProductionMode(): void {
  Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
}

/** Whether this is `npm run dev`. A build has the answer written into it: never. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

/** next-auth knows the site's address from this variable alone. */
export function setNextAuthUrl(url: string): void {
  process.env.NEXTAUTH_URL = url;
}

/** Next would take settings from `.env` and its kin in each process by itself, and what was written there since the start would count for its half of Heard alone. */
export function keepNextFromEnvFiles(): void {
  process.env.__NEXT_PROCESSED_ENV = "true";
}

/** Next asks itself at this address for the page that a form leads to; without it, at one that it makes from the form's own scheme. */
export function setNextOrigin(origin: string): void {
  process.env.__NEXT_PRIVATE_ORIGIN = origin;
}

/** Next takes this key instead of the one that stands in the build, which everybody knows. */
export function setActionKey(key: string): void {
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = key;
}

/** What the processes of one start know of each other and nobody else does; empty where there is but one. */
export function siblingsSecret(): string {
  return process.env.HEARD_SIBLINGS_SECRET ?? "";
}
