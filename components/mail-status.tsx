import { useTranslations } from "next-intl";
import type { MailFacts } from "#server/mails";
import { Badge, type Tone } from "./ui/badge.tsx";

const TONES: Record<MailFacts["status"], Tone> = { QUEUED: "neutral", SENT: "success", FAILED: "danger" };

/** Whether a letter waits, is on its way, or was given up. */
export function MailStatus({ status }: Pick<MailFacts, "status">) {
  const t = useTranslations("outbox.status");
  return <Badge tone={TONES[status]}>{t(status)}</Badge>;
}
