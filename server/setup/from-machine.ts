import { z } from "zod";
import { env } from "#lib/env";
import { AppError } from "#lib/errors";
import { createPassword } from "#lib/passwords";
import { httpOrigin, type Visit } from "#lib/visit";
import { setUp } from "../setup.ts";

/** What `npm run setup` takes beside what set-up itself checks. */
const fromMachine = z.object({
  owner: z.string("must say whose site it is: npm run setup -- --owner you@example.com"),
  title: z.string().optional(),
  name: z.string().optional(),
  board: z.string().optional(),
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
 * @throws ZodError, AppError MAIL_CONFIG_MISSING with what to set, and whatever else `setUp` throws
 */
export async function setUpFromMachine(input: unknown): Promise<{ email: string; password: string | null; url: string }> {
  const { owner: email, title: siteTitle, name, board: boardName, url: given, password: ownPassword } = fromMachine.parse(input);
  const { MAIL, SITE_URL, PORT } = env();
  if (MAIL === "none") throw new AppError("MAIL_CONFIG_MISSING", MAIL_ADVICE);
  const url = SITE_URL ?? given ?? `http://localhost:${PORT}`;
  const visit: Visit = { ip: "127.0.0.1", device: "npm run setup", ownOrigin: url, callerOrigin: url, deviceToken: null };
  const password = ownPassword ?? createPassword();
  await setUp(visit, { email, password, name, siteTitle, boardName, blockCommonPasswords: true }, { isFromMachine: true });
  return { email, password: ownPassword === undefined ? password : null, url };
}
