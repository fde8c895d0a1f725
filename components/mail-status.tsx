import { useTranslations } from "next-intl";
import type { MailFacts } from "#server/mails";
import { Badge } from "./ui/badge.tsx";
import type { Tone } from "./ui/tone.ts";

const TONES: Record<MailFacts["status"], Tone> = { QUEUED: "neutral", SENT: "success", FAILED: "danger" };

/** Whether a letter waits, is on its way, or was given up. */
export function MailStatus({ status }: Pick<MailFacts, "status">) {
  const t = useTranslations("outbox.status");
  return <Badge tone={TONES[status]}>{t(status)}</Badge>;
}
