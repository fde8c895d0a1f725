import { DAY_MS } from "#lib/days";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { cacheable, endpoint } from "#lib/http";
import { siteUrl } from "#server/settings";

// RFC 9116 §2.5.5 recommends less than a year.
const VALID_DAYS = 180;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** Where to report a weakness (RFC 9116). 200 or 304; 404 where the site names no contact. */
  GET: async (request, { visit }) => {
    const { SECURITY_CONTACT } = env();
    if (!SECURITY_CONTACT) throw new AppError("NOT_FOUND", "This site names no contact for reports of weaknesses.");
    const expiresAt = new Date((Math.floor(Date.now() / DAY_MS) + VALID_DAYS) * DAY_MS);
    const address = `${await siteUrl(visit)}/.well-known/security.txt`;
    const lines = [`Contact: ${SECURITY_CONTACT}`, `Expires: ${expiresAt.toISOString()}`, `Canonical: ${address}`, ""];
    return cacheable(request, null, lines.join("\n"), { "Content-Type": "text/plain; charset=utf-8" });
  },
});
