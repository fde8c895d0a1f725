import type { LetterName } from "#emails/render";
import { knownDevice } from "#lib/auth";
import { env } from "#lib/env";
import { hasCode } from "#lib/errors";
import { countRefusal } from "#lib/metrics";
import { attemptsOf, countAttempt, countIfWithin, forgetAttempts, placeOf, type TakeBack, takeTurn } from "#lib/rate-limits";
import type { Visit } from "#lib/visit";

/** The longest that an attempt has to wait for its turn. */
const MAX_PAUSE_S = 15 * 60;

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
  const place = placeOf(visit.ip);
  const from = `${email} ${device ?? place}`;
  const wasNone = device
    ? await countAttempt("login", from)
    : await countAll(
        () => countAttempt("login-ip", place),
        () => countAttempt("login", from),
        () => countGuess(email),
      );
  return {
    wasNone,
    async succeeded() {
      await Promise.all([wasNone(), forgetAttempts("login", from), ...(device ? [] : [forgetGuesses(email)])]);
    },
  };
}

/** Compares a password, and lets the attempt count only where that was wrong: not where it was right, nor where nobody looked at it. */
export async function countedAsGuess<Result>(attempt: LoginAttempt, compare: () => Promise<Result>): Promise<Result> {
  const result = await compare().catch(async (error: unknown) => {
    if (!hasCode(error, "INVALID_CREDENTIALS")) await attempt.wasNone();
    throw error;
  });
  await attempt.succeeded();
  return result;
}

/**
 * Compares a person's own password and hashes a new one. That counts as a guess at the account, for who holds somebody's session may guess no oftener than at the
 * front door; and by the person, unless nothing new was hashed. No sign-in forgets that.
 * @throws AppError RATE_LIMITED, or what `rehash` throws
 */
export async function countedAsPasswordChange<Result>(
  visit: Visit,
  { userId, email }: { userId: string; email: string },
  rehash: () => Promise<Result>,
): Promise<Result> {
  return countedAsGuess(await countLogin(visit, email), async () => {
    const takeBack = await countAttempt("password-change", userId);
    return rehash().catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
  });
}

/** Forgets the wrong passwords for an address: its owner has shown that it is theirs. */
export async function forgetGuesses(email: string): Promise<void> {
  await Promise.all([forgetAttempts("login-account", email), forgetAttempts("login-free", email)]);
}

/**
 * Counts a letter that somebody asks for, whether or not `email` has an account.
 * @throws AppError RATE_LIMITED
 */
export async function countLetter(visit: Visit, email: string): Promise<void> {
  const place = placeOf(visit.ip);
  await countAll(
    () => countAttempt("letter-ip", place),
    () => countAttempt("letter", `${email} ${place}`),
    () => countAttempt("letter-address", email),
  );
}

/**
 * Whether a letter of security may go to an account's address: to be asked, and counted, only where one is about to be written. To an address that was
 * confirmed always; to another, which may be a stranger's, so often of each kind: else whoever signs up with it could have it written to without end.
 */
export async function mayWriteUnasked(letter: LetterName, { email, isVerified }: { email: string; isVerified: boolean }): Promise<boolean> {
  if (isVerified || (await countIfWithin("letter-unasked", `${letter} ${email}`))) return true;
  countRefusal("letter-unasked");
  return false;
}

/**
 * Counts a sign-up, by where it comes from. What it returns takes that back.
 * @throws AppError RATE_LIMITED
 */
export function countSignup(visit: Visit): Promise<TakeBack> {
  return countAttempt("signup", placeOf(visit.ip));
}

/**
 * Counts a set-up, by where it comes from. What it returns takes that back.
 * @throws AppError RATE_LIMITED
 */
export function countSetup(visit: Visit): Promise<TakeBack> {
  return countAttempt("setup", placeOf(visit.ip));
}

/**
 * Counts a picture that somebody uploads, whatever becomes of it.
 * @throws AppError RATE_LIMITED
 */
export async function countUpload(userId: string): Promise<void> {
  await countAttempt("upload", userId);
}

/** Counts on one axis after another. Where one refuses or cannot count, none has counted. */
async function countAll(...counts: (() => Promise<TakeBack>)[]): Promise<TakeBack> {
  const counted: TakeBack[] = [];
  const takeBack = async () => {
    await Promise.all(counted.map((each) => each()));
  };
  try {
    for (const count of counts) counted.push(await count());
    return takeBack;
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/**
 * Counts a guess at an account, from wherever. Past the free ones each has to wait its turn, twice as long each time; who has not got one is not
 * counted, so that a crowd neither uses up the account's guesses nor makes anybody's wait longer.
 * @throws AppError RATE_LIMITED
 */
function countGuess(email: string): Promise<TakeBack> {
  return countAll(
    async () => (await countIfWithin("login-free", email)) ?? takeGuessTurn(email),
    () => countAttempt("login-account", email),
  );
}

async function takeGuessTurn(email: string): Promise<TakeBack> {
  const limits = env().RATE_LIMITS;
  const guesses = await attemptsOf("login-account", email);
  // After the last one nobody gets a turn. With limits off every guess is free, which the type does not know.
  if (limits === "off" || guesses >= limits["login-account"].points) return async () => {};
  const paid = Math.max(0, guesses - limits["login-free"].points);
  return takeTurn("login-account", email, Math.min(2 ** paid, MAX_PAUSE_S));
}
