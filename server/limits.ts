import type { LetterName } from "#emails/render";
import { knownDevice } from "#lib/auth";
import { env } from "#lib/env";
import { countAttempt, forgetAttempts, placeOf, takeTurn, uncount } from "#lib/rate-limits";
import type { Visit } from "#lib/visit";

/** The longest that an attempt has to wait for its turn. */
const MAX_PAUSE_S = 15 * 60;
/** Of the wrong passwords for one address that are allowed in all, the share that costs nobody a wait. */
const FREE_SHARE = 0.1;

/** An attempt to sign in, counted as if the password had been wrong. */
export type LoginAttempt = {
  /** The password was right: what was counted before is forgotten, too. */
  succeeded(): Promise<void>;
  /** No password was found wrong, as while the database is away: this attempt was none. */
  wasNone(): Promise<void>;
};

/**
 * Counts an attempt to sign in with `email`, before the password is looked at, so that a crowd cannot slip in between. A browser that
 * has signed in before has a count of its own: whoever guesses at an account keeps its owner out of it nowhere else.
 * @throws AppError RATE_LIMITED
 */
export async function countLogin(visit: Visit, email: string): Promise<LoginAttempt> {
  const device = await knownDevice(visit, email);
  if (device) return countLoginFrom(`${email} ${device}`);
  const place = placeOf(visit.ip);
  await countAttempt("login-ip", place);
  const fromHere = await countLoginFrom(`${email} ${place}`);
  const attempt = {
    async succeeded() {
      await Promise.all([uncount("login-ip", place), fromHere.succeeded(), forgetGuesses(email)]);
    },
    async wasNone() {
      await Promise.all([uncount("login-ip", place), fromHere.wasNone(), uncount("login-account", email)]);
    },
  };
  try {
    await takeGuessTurn(email, await countAttempt("login-account", email));
    return attempt;
  } catch (error) {
    // Who is told to wait did not get a password looked at. A count that could not be raised cannot be lowered either.
    if ((error as { code?: unknown }).code === "RATE_LIMITED") await attempt.wasNone();
    throw error;
  }
}

/** Compares a password, and lets the attempt count only where that was wrong: not where it was right, nor where nobody looked at it. */
export async function countedAsGuess<Result>(attempt: LoginAttempt, compare: () => Promise<Result>): Promise<Result> {
  try {
    const result = await compare();
    await attempt.succeeded();
    return result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "INVALID_CREDENTIALS") await attempt.wasNone();
    throw error;
  }
}

/** Forgets the wrong passwords for an address: its owner has shown by a mailed link that it is theirs. */
export async function forgetGuesses(email: string): Promise<void> {
  await forgetAttempts("login-account", email);
}

/**
 * Counts a letter that somebody asks for, whether or not `email` has an account.
 * @throws AppError RATE_LIMITED
 */
export async function countLetter(visit: Visit, email: string): Promise<void> {
  const place = placeOf(visit.ip);
  await countAttempt("letter-ip", place);
  await countAttempt("letter", `${email} ${place}`);
  await countAttempt("letter-address", email);
}

/**
 * Whether a letter of security may go to an account's address: to be asked, and counted, only where one is to be written. To an address that was
 * confirmed always; to another, which may be a stranger's, so often of each kind: else whoever signs up with it could have it written to without end.
 */
export async function mayWriteUnasked(letter: LetterName, { email, isVerified }: { email: string; isVerified: boolean }): Promise<boolean> {
  if (isVerified) return true;
  try {
    await countAttempt("letter-unasked", `${letter} ${email}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "RATE_LIMITED") return false;
    throw error;
  }
}

/** @throws AppError RATE_LIMITED */
export async function countSignup(visit: Visit): Promise<void> {
  await countAttempt("signup", placeOf(visit.ip));
}

/** @throws AppError RATE_LIMITED */
export async function countSetup(visit: Visit): Promise<void> {
  await countAttempt("setup", placeOf(visit.ip));
}

/** @throws AppError RATE_LIMITED */
export async function countUpload(userId: string): Promise<void> {
  await countAttempt("upload", userId);
}

async function countLoginFrom(key: string): Promise<LoginAttempt> {
  await countAttempt("login", key);
  return { succeeded: () => forgetAttempts("login", key), wasNone: () => uncount("login", key) };
}

/**
 * Past the free guesses at an account, from wherever, each has to wait its turn, twice as long each time.
 * @throws AppError RATE_LIMITED
 */
async function takeGuessTurn(email: string, guesses: number): Promise<void> {
  const limits = env().RATE_LIMITS;
  const paid = limits === "off" ? 0 : guesses - Math.ceil(limits["login-account"].points * FREE_SHARE);
  if (paid > 0) await takeTurn("login-account", email, Math.min(2 ** (paid - 1), MAX_PAUSE_S));
}
