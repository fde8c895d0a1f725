import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { EnvError, parseEnv } from "./env.ts";
import { RATE_LIMITS } from "./rate-limits/defaults.ts";

/** What parseEnv complains about, line by line. */
function problems(source: Record<string, string>): string[] {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as EnvError).message.split("\n");
  }
}

test("nothing has to be set", () => {
  expect(parseEnv({})).toEqual({
    PORT: 3000,
    HOST: "127.0.0.1",
    DATA_DIR: "./data",
    MAIL: "outbox",
    ALLOWED_ORIGINS: [],
    TRUSTED_PROXIES: 0,
    RATE_LIMITS,
    KEPT_ANSWERS_MB: 32,
    WORKERS: 1,
    LOG_LEVEL: "info",
  });
});

test("on PostgreSQL there is a process for each core, up to eight, unless WORKERS says otherwise", () => {
  const DATABASE_URL = "postgresql://localhost/heard";

  expect(parseEnv({ DATABASE_URL }).WORKERS).toBe(Math.min(8, availableParallelism()));
  expect(parseEnv({ DATABASE_URL, WORKERS: "12" }).WORKERS).toBe(12);
  expect(parseEnv({ WORKERS: "12" }).WORKERS).toBe(1);
  expect(parseEnv({ DATABASE_URL, WORKERS: "12", NODE_ENV: "development" }).WORKERS).toBe(1);
});

test("an empty variable is one that is not set", () => {
  expect(parseEnv({ PORT: "", SITE_URL: "  ", DATABASE_URL: "", MAIL: "", ALLOWED_ORIGINS: "", RATE_LIMITS: "" })).toEqual(parseEnv({}));
});

test.for([
  ["PORT", "abc"],
  ["PORT", "70000"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["PORT", "0x50"],
  ["PORT", "3e3"],
  ["DATA_DIR", "./da\tta"],
  ["KEPT_ANSWERS_MB", "lots"],
  ["KEPT_ANSWERS_MB", "1025"],
  ["SETUP_TOKEN", "short"],
  ["SITE_URL", "feedback.example.com"],
  ["SITE_URL", "ftp://feedback.example.com"],
  ["SITE_URL", "https://example.com/feedback"],
  ["SITE_URL", "https://example.com?board=1"],
  ["SITE_URL", "https://ada:secret@example.com"],
  ["DATABASE_URL", "mysql://localhost/heard"],
  ["DATABASE_URL", "localhost"],
  ["DATABASE_URL", "postgresql:heard:pw@db.example.com/heard"],
  ["DATABASE_URL", "postgresql://heard:a#b@localhost/heard"],
  ["DATABASE_URL", "postgresql://localhost/heard?sslmode=requires"],
  ["DATABASE_URL", "postgresql://localhost/heard?ssl=0&ssl=require"],
  ["DATABASE_URL", "postgresql://heard:100%ab!@localhost/heard"],
  ["DATABASE_URL", "postgresql://localhost/heard?uselibpqcompat=true&sslmode=verify-ca"],
  ["DATABASE_URL", "postgresql://localhost/heard?sslnegotiation=tls"],
  ["DATABASE_URL", "postgresql://localhost/heard?sslnegotiation=direct&sslmode=disable"],
  ["DATABASE_URL", "postgresql://localhost/heard?ssl=0&sslnegotiation=direct"],
  ["HOST", "http://localhost"],
  ["HOST", "[::1]"],
  ["HOST", "127.0.0.1:3000"],
  ["AUTH_SECRET", "too-short"],
  ["AUTH_SECRET", "changeme".repeat(4)],
  ["METRICS_TOKEN", "é".repeat(16)],
  ["METRICS_TOKEN", "fifteen-letters"],
  ["METRICS_TOKEN", "abc".repeat(6)],
  ["SETUP_TOKEN", "a".repeat(16)],
  ["MAIL", "pigeon"],
  ["SMTP_URL", "mail.example.com"],
  ["SMTP_URL", "smtp:mail.example.com:587"],
  ["SMTP_URL", "smtp://"],
  ["RESEND_API_KEY", "re_ключ"],
  ["SMTP_URL", "http://mail.example.com"],
  ["SMTP_URL", "smtp://heard:100%ab!@mail.example.com"],
  ["RESEND_BASE_URL", "resend"],
  ["RESEND_BASE_URL", "localhost:8080"],
  ["MAIL_FROM", "Heard"],
  ["MAIL_FROM", "a@example.com\r\nBcc: b@example.com"],
  ["ALLOWED_ORIGINS", "https://a.example.com, b"],
  ["ALLOWED_ORIGINS", "https://a.example.com/path"],
  ["ALLOWED_ORIGINS", "*"],
  ["TRUSTED_PROXIES", "-1"],
  ["TRUSTED_PROXIES", "many"],
  ["TRUSTED_PROXIES", "11"],
  ["SITE_URL", "https://example.com/#boards"],
  ["RATE_LIMITS", "sometimes"],
  ["RATE_LIMITS", "login=10/5m,login=20/5m"],
  ["WORKERS", "0"],
  ["WORKERS", "65"],
  ["WORKERS", "1.5"],
  ["LOG_LEVEL", "loud"],
] as const)("a wrong %s is named, and what to write instead: %s", ([name, value]) => {
  const [line, ...others] = problems({ [name]: value });

  expect(line).toMatch(new RegExp(`^${name} (\\(number \\d of its list\\) )?(must|is) `));
  expect(others).toEqual([]);
});

test("the bounds themselves are taken", () => {
  expect(parseEnv({ PORT: "0", TRUSTED_PROXIES: "10", KEPT_ANSWERS_MB: "0", WORKERS: "64", DATABASE_URL: "postgresql://localhost/heard" })).toMatchObject({
    PORT: 0,
    TRUSTED_PROXIES: 10,
    KEPT_ANSWERS_MB: 0,
    WORKERS: 64,
  });
  const token = "abcd".repeat(4);
  expect(parseEnv({ PORT: "65535", KEPT_ANSWERS_MB: "1024", METRICS_TOKEN: token })).toMatchObject({
    PORT: 65_535,
    KEPT_ANSWERS_MB: 1024,
    METRICS_TOKEN: token,
  });
});

test("all wrong variables are in one list, also those that are wrong only together", () => {
  const lines = problems({ PORT: "abc", SITE_URL: "x", DATABASE_URL: "x", LOG_LEVEL: "loud", WORKERS: "0", RATE_LIMITS: "x", MAIL: "smtp" });

  expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(["DATABASE_URL", "LOG_LEVEL", "PORT", "RATE_LIMITS", "SITE_URL", "SMTP_URL", "WORKERS"]);
});

test("all parts of a list of rate limits that cannot be used are shown", () => {
  expect(problems({ RATE_LIMITS: "signup=1/1m,login=x,sign=1/1m,signup=2/1m" })).toEqual([
    expect.stringMatching(/ \(cannot read "login=x"; there is no limit "sign", only [a-z, -]+; signup is there twice\)$/),
  ]);
});

test.each([
  "postgresql://heard:100%25ab@localhost/heard",
  "postgresql://heard:100%off@localhost/heard?application_name=50%",
  "postgresql://%2Frun%2Fpostgresql/heard",
  "postgresql://localhost/heard?sslnegotiation=postgres&sslmode=disable",
  "postgresql://localhost/heard?sslmode=verify-full&sslnegotiation=direct",
  "postgresql://localhost/heard?ssl=1&sslnegotiation=direct",
  "postgresql://localhost/heard?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=root.pem",
])("an address that pg can use is taken as it is: %s", (DATABASE_URL) => {
  expect(parseEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

test("an sslmode that pg takes as another is given to it as that", () => {
  const given = (query: string) => parseEnv({ DATABASE_URL: `postgresql://localhost/heard?${query}` }).DATABASE_URL?.split("?")[1];

  expect(given("sslmode=require&application_name=x")).toBe("sslmode=verify-full&application_name=x");
  expect(given("sslmode=no-verify")).toBe("sslmode=no-verify");
  expect(given("uselibpqcompat=true&sslmode=require")).toBe("uselibpqcompat=true&sslmode=require");
});

test("what is wrong in a list says which of it", () => {
  expect(problems({ ALLOWED_ORIGINS: "https://a.example.com, b" })).toEqual([
    expect.stringMatching(/^ALLOWED_ORIGINS \(number 2 of its list\) must be a web address/),
  ]);
});

test("a list of wrong variables shows no secret", () => {
  const lines = problems({
    AUTH_SECRET: "canary-1",
    SETUP_TOKEN: "canary2",
    DATABASE_URL: "mysql://heard:canary-3@localhost/x",
    SMTP_URL: "http://a:canary-4@b",
  });

  expect(lines).toHaveLength(4);
  expect(lines.join()).not.toContain("canary");
});

test.for([
  [{}, "outbox"],
  [{ DATABASE_URL: "postgresql://localhost/heard" }, "none"],
  [{ DATABASE_URL: "postgresql://localhost/heard", MAIL: "outbox" }, "outbox"],
  [{ SMTP_URL: "smtp://localhost:25" }, "smtp"],
  [{ DATABASE_URL: "postgres://localhost/heard", SMTP_URL: "smtps://localhost" }, "smtp"],
  [{ RESEND_API_KEY: "re_1" }, "resend"],
  [{ SMTP_URL: "smtp://localhost:25", MAIL: "outbox" }, "outbox"],
  [{ SMTP_URL: "smtp://localhost:25", RESEND_API_KEY: "re_1", MAIL: "smtp" }, "smtp"],
  [{ SMTP_URL: "smtp://localhost:25", RESEND_API_KEY: "re_1", MAIL: "resend" }, "resend"],
  [{ MAIL: "none" }, "none"],
] as const)("with %o mail goes by %s", ([source, kind]) => {
  expect(parseEnv(source).MAIL).toBe(kind);
});

test("two ways of sending mail, and no word which, are refused", () => {
  expect(problems({ SMTP_URL: "smtp://localhost:25", RESEND_API_KEY: "re_1" })).toEqual([expect.stringMatching(/^MAIL must say which one/)]);
});

test("a way of sending mail without its address or key is refused", () => {
  expect(problems({ MAIL: "smtp" })).toEqual(["SMTP_URL is needed by MAIL=smtp"]);
  expect(problems({ MAIL: "resend" })).toEqual(["RESEND_API_KEY is needed by MAIL=resend"]);
});

test("an origin is stored bare, in lower case and without its default port", () => {
  const { SITE_URL, ALLOWED_ORIGINS } = parseEnv({
    SITE_URL: " https://Feedback.Example.com:443/ ",
    ALLOWED_ORIGINS: "https://A.example.com, http://localhost:8080/ ,",
  });

  expect(SITE_URL).toBe("https://feedback.example.com");
  expect(ALLOWED_ORIGINS).toEqual(["https://a.example.com", "http://localhost:8080"]);
});

test("the contact for reports becomes an address that RFC 9116 allows", () => {
  expect(parseEnv({ SECURITY_CONTACT: " security@example.com" }).SECURITY_CONTACT).toBe("mailto:security@example.com");
  expect(parseEnv({ SECURITY_CONTACT: "https://example.com/security" }).SECURITY_CONTACT).toBe("https://example.com/security");
  for (const SECURITY_CONTACT of ["Sam", "http://example.com", "javascript:a@b", "a@b\nExpires: never"]) expect(problems({ SECURITY_CONTACT })).toHaveLength(1);
});

test("rate limits are on, off, or a list of so many in such a time", () => {
  expect(parseEnv({ RATE_LIMITS: "off" }).RATE_LIMITS).toBe("off");
  expect(parseEnv({ RATE_LIMITS: "on" }).RATE_LIMITS).toEqual(RATE_LIMITS);
  expect(parseEnv({ RATE_LIMITS: "signup=60/30m, login=10/45s,setup=1/2h,login-ip=300/1d" }).RATE_LIMITS).toEqual({
    ...RATE_LIMITS,
    signup: { points: 60, windowSeconds: 1800 },
    login: { points: 10, windowSeconds: 45 },
    setup: { points: 1, windowSeconds: 7200 },
    "login-ip": { points: 300, windowSeconds: 86_400 },
  });
});

test("the defaults that .env.example names are the ones that count, all of them", () => {
  const [, explained = ""] = readFileSync(".env.example", "utf8").split("keep their defaults:");
  const named = [...explained.matchAll(/[a-z-]+=\d+\/\d+[smhd]/g)].map(([limit]) => limit);

  expect(named).toHaveLength(Object.keys(RATE_LIMITS).length);
  expect(parseEnv({ RATE_LIMITS: named.join() }).RATE_LIMITS).toEqual(RATE_LIMITS);
});

test.for([
  "signup",
  "signup=60",
  "signup=60/30",
  "signup=60/30w",
  "signup=-1/30m",
  "signup=60/30m;login=1/1m",
  "Signup=60/30m",
  "on,off",
  "signup=60/30m,,login=1/1m",
])("the list of rate limits %s is refused, and the part that cannot be read is shown", (value) => {
  expect(problems({ RATE_LIMITS: value })).toEqual([expect.stringMatching(/^RATE_LIMITS must be on, off, or a list .* \(cannot read ".*"\)$/)]);
});
