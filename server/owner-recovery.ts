import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { createPassword, hashPassword, withHashingSlot } from "#lib/passwords";
import { normalizeEmail } from "./credentials.ts";
import { forgetGuesses } from "./limits.ts";

/**
 * Gives an owner a new random password and ends all of their sessions and links to a new password; a block is lifted, and wrong passwords that kept them out are
 * forgotten: the way back in for who can run commands on the machine.
 * Without `email` it is the only owner. Returns the address and the password, which is stored nowhere.
 * @throws AppError NOT_FOUND when there is no such owner, VALIDATION_ERROR when there are several and `email` does not say which
 */
export async function resetOwnerPassword(email?: string): Promise<{ email: string; password: string }> {
  const owners = await db.user.findMany({
    where: { role: "OWNER", ...(email && { email: normalizeEmail(email) }) },
    select: { userId: true, email: true },
    orderBy: { createdAt: "asc" },
  });
  const [owner, another] = owners;
  if (!owner) throw new AppError("NOT_FOUND", email ? `No owner has the address ${email}.` : "There is no owner yet. Open /setup to become it.");
  if (another) throw new AppError("VALIDATION_ERROR", `Say which owner: ${owners.map((each) => each.email).join(", ")}.`);
  const password = createPassword();
  const passwordHash = await withHashingSlot("this machine", () => hashPassword(password, owner.userId));
  await db.$transaction([
    db.user.update({ where: { userId: owner.userId }, data: { passwordHash, blockedAt: null } }),
    db.session.deleteMany({ where: { userId: owner.userId } }),
    db.mailToken.deleteMany({ where: { userId: owner.userId, purpose: "RESET_PASSWORD" } }),
  ]);
  await forgetGuesses(owner.email);
  return { email: owner.email, password };
}
