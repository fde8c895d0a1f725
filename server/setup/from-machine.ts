import { z } from "zod";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { createPassword } from "#lib/passwords";
import { httpOrigin, type Visit } from "#lib/visit";
import { newSite, setUp } from "../setup.ts";
import { newCredentials } from "../users.ts";

/** Where an option is left out, set-up fills in its own; who writes one means something by it. */
const givenText = z
  .string()
  .refine((text) => text.trim() !== "", "must not be empty: leave the option out instead")
  .optional();

/** What `npm run setup` takes beside what set-up itself checks. */
const fromMachine = z.object({
  owner: z.string("must say whose site it is: npm run setup -- --owner you@example.com"),
  title: givenText,
  name: givenText,
  board: givenText,
  url: z
    .string()
    .refine((url) => httpOrigin(url) !== null, "must be an address without a path, such as https://feedback.example.com")
    .transform((url) => httpOrigin(url) ?? url)
    .optional(),
  password: z.string().optional(),
});

const MAIL_ADVICE = "Heard needs to know how to send email: set SMTP_URL or RESEND_API_KEY, or MAIL=outbox to keep every letter in the dashboard.";

/**
 * Sets the site up for who can run commands on the machine, and so needs no SETUP_TOKEN. Without a password it makes one, which it returns and stores nowhere.
 * `url` is where people will reach the site, unless SITE_URL says it; without either, this machine.
 * @throws AppError MAIL_CONFIG_MISSING with what to set, and whatever `readSetup` and `setUp` throw
 */
export async function setUpFromMachine(input: unknown): Promise<{ email: string; password: string | null; url: string }> {
  const { url: given, isPasswordMade, site } = readSetup(input);
  const { MAIL, SITE_URL, PORT } = env();
  if (MAIL === "none") throw new AppError("MAIL_CONFIG_MISSING", MAIL_ADVICE);
  const url = SITE_URL ?? given ?? `http://localhost:${PORT}`;
  const visit: Visit = { ip: "127.0.0.1", device: "npm run setup", ownOrigin: url, callerOrigin: url, deviceToken: null };
  await setUp(visit, site, { isFromMachine: true });
  return { email: site.email, password: isPasswordMade ? site.password : null, url };
}

/**
 * Reads what `npm run setup` was given, without a look at the site.
 * @throws ZodError, AppError EMAIL_INVALID or PASSWORD_…
 */
export function readSetup(input: unknown) {
  const { owner: email, title: siteTitle, name, board: boardName, url, password } = fromMachine.parse(input);
  const site = { email, password: password ?? createPassword(), name, siteTitle, boardName, blockCommonPasswords: true };
  newCredentials.parse(site);
  newSite.parse(site);
  return { url, isPasswordMade: password === undefined, site };
}
