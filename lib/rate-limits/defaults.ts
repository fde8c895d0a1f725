import { DAY_MS } from "../days.ts";

/** At most `points` in `windowSeconds`, counted from the first. */
export type RateLimit = { points: number; windowSeconds: number };

const MINUTE_S = 60;
const DAY_S = DAY_MS / 1000;

/** How often something may be done, by name, unless RATE_LIMITS says otherwise. "One place" is one IP address, of IPv6 one /64 network. */
export const RATE_LIMITS = {
  /** Signing in with one email address from one place, or from one browser that has signed in before. Only what fails is counted. */
  login: { points: 5, windowSeconds: 5 * MINUTE_S },
  /** Signing in from one place, with whatever address. */
  "login-ip": { points: 50, windowSeconds: 15 * MINUTE_S },
  /** Wrong passwords for one email address, from wherever. After the last only a mailed link opens the account. */
  "login-account": { points: 100, windowSeconds: DAY_S },
  /** How many of those cost nobody a wait; each after them has to wait for its turn. */
  "login-free": { points: 10, windowSeconds: DAY_S },
  /** New accounts from one place. */
  signup: { points: 30, windowSeconds: 30 * MINUTE_S },
  /** Attempts to set the site up from one place. */
  setup: { points: 10, windowSeconds: 15 * MINUTE_S },
  /** Letters that are asked for to one email address from one place, such as for a new password. */
  letter: { points: 3, windowSeconds: 15 * MINUTE_S },
  /** The same from one place, to whatever address. */
  "letter-ip": { points: 20, windowSeconds: 15 * MINUTE_S },
  /** The same to one email address, from wherever. */
  "letter-address": { points: 5, windowSeconds: 30 * MINUTE_S },
  /** Letters of security of one kind that nobody asked for, to one email address that nobody has confirmed. */
  "letter-unasked": { points: 5, windowSeconds: 30 * MINUTE_S },
  /** Requests to the API that are not signed in, from one place. */
  api: { points: 300, windowSeconds: 5 * MINUTE_S },
  /** Requests to the API of one signed-in person. */
  "api-user": { points: 1500, windowSeconds: 5 * MINUTE_S },
  /** Pictures that one person uploads. */
  upload: { points: 30, windowSeconds: 30 * MINUTE_S },
  /** Changes of one person's own password: each has others wait who sign in, while two passwords are hashed. */
  "password-change": { points: 10, windowSeconds: 30 * MINUTE_S },
} satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof RATE_LIMITS;
