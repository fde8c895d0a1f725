import { useTranslations } from "next-intl";
import { EmailAddress } from "#components/email-address";
import { Link } from "#components/ui/link";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import type { LetterState } from "#server/mails/letter-state";
import { mailsTo } from "./dashboard/outbox/address.ts";

type ConfirmingEmailProps = {
  email: string;
  /** How the last such email stands; null where there is none, or none any more. */
  state: LetterState | null;
  canReadOutbox: boolean;
};

/** What became of the email whose link confirms an address, and how its owner comes by that link. */
export function ConfirmingEmail({ email, state, canReadOutbox }: ConfirmingEmailProps) {
  const t = useTranslations("confirmingEmail");
  return t.rich(whatBecameOf(state, canReadOutbox), {
    email: () => <EmailAddress address={email} className="font-medium text-ink" />,
    link: (text) => <Link href={mailsTo(email)}>{text}</Link>,
  });
}

/** Whether a new one that was just asked for is still to be expected: it was not refused since, nor is mail set up otherwise by now. */
export function isToBeExpected(state: LetterState | null): boolean {
  if (env().MAIL === "none") return false;
  return state === "QUEUED" || state === (lettersStayHere() ? "KEPT" : "SENT");
}

function whatBecameOf(state: LetterState | null, canReadOutbox: boolean) {
  if (state === "KEPT" && canReadOutbox) return "inOutbox";
  if (env().MAIL === "none") return "noMail";
  if (state === "SENT") return "sent";
  if (state === "FAILED") return canReadOutbox ? "failedSeeOutbox" : "failed";
  // What is queued lies in the outbox in a moment.
  if (state !== null && lettersStayHere()) return canReadOutbox ? "inOutbox" : "kept";
  return state === "QUEUED" ? "queued" : "none";
}
