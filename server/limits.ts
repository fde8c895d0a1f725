import { knownDevice } from "#lib/auth";
import { countAttempt, forgetAttempts, placeOf, takeTurn, uncount } from "#lib/rate-limits";
import { RATE_LIMITS } from "#lib/rate-limits/defaults";
import type { Visit } from "#lib/visit";

/** The longest that an attempt has to wait for its turn. */
const MAX_PAUSE_S = 15 * 60;
/** Wrong passwords for one address that cost nobody a wait. */
const FREE_GUESSES = RATE_LIMITS["login-account"].points / 10;

/** An attempt to sign in, counted as if it had failed; `succeeded` takes that back. */
export type LoginAttempt = { succeeded(): Promise<void> };

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
  await countGuess(email);
  return {
    async succeeded() {
      await Promise.all([uncount("login-ip", place), fromHere.succeeded(), forgetGuesses(email)]);
    },
  };
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
  return { succeeded: () => forgetAttempts("login", key) };
}

/** Counts one more guess at an account from wherever; past the free ones each has to wait its turn, twice as long each time. */
async function countGuess(email: string): Promise<void> {
  const guesses = await countAttempt("login-account", email);
  if (guesses <= FREE_GUESSES) return;
  try {
    await takeTurn("login-account", email, Math.min(2 ** (guesses - FREE_GUESSES - 1), MAX_PAUSE_S));
  } catch (error) {
    // No password was looked at: it was no guess.
    await uncount("login-account", email);
    throw error;
  }
}
