import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { type Env, env } from "#lib/env";
import { lettersGoOut, sender } from "#lib/mail";
import type { Visit } from "#lib/visit";
import { type Attention, listAttention } from "../attention.ts";
import { type Check, checkMail } from "../checks.ts";
import { authorize } from "../permissions.ts";
import { siteUrl, THE_SITE } from "../settings.ts";

/** How mail is configured. Never a password. */
export type MailSetup = {
  kind: Env["MAIL"];
  /** What letters are handed to; null where they are handed to nobody. */
  server: string | null;
  /** Who letters come from. */
  sender: { name: string; address: string };
  /** Where a test letter would go. */
  ownAddress: string;
  /** What the dashboard says of letters that do not get through; empty where all do, and where none are to. */
  failures: { matters: Attention[]; checks: Check[] };
};

const RESEND_HOST = "api.resend.com";

/**
 * How mail is configured, for who could change that where Heard runs.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update` or, where letters go out, `mail:read`
 */
export async function describeMail(viewer: Viewer, visit: Visit): Promise<MailSetup> {
  authorize(viewer, "settings:update");
  const { title } = await db.siteSettings.findUniqueOrThrow({ where: THE_SITE, select: { title: true } });
  const { email } = await db.user.findUniqueOrThrow({ where: { userId: viewer.userId }, select: { email: true } });
  const from = sender({ title, url: await siteUrl(visit) });
  return { kind: env().MAIL, server: mailServer(env()), sender: from, ownAddress: email, failures: await describeFailures(viewer) };
}

async function describeFailures(viewer: Viewer): Promise<MailSetup["failures"]> {
  if (!lettersGoOut()) return { matters: [], checks: [] };
  const [matters, check] = await Promise.all([listAttention(viewer), checkMail()]);
  return { matters, checks: check.state === "ok" ? [] : [check] };
}

function mailServer({ MAIL, SMTP_URL, RESEND_BASE_URL }: Env): string | null {
  if (MAIL === "resend") return RESEND_BASE_URL ? new URL(RESEND_BASE_URL).host : RESEND_HOST;
  if (MAIL !== "smtp" || !SMTP_URL) return null;
  const { protocol, host } = new URL(SMTP_URL);
  return `${protocol}//${host}`;
}
