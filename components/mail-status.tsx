import { Check, Clock, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { MailFacts } from "#server/mails";
import { Badge } from "./ui/badge.tsx";

const LOOKS = {
  QUEUED: { tone: "neutral", Icon: Clock },
  SENT: { tone: "success", Icon: Check },
  FAILED: { tone: "danger", Icon: X },
} as const;

/** Whether a letter waits, is on its way, or was given up. */
export function MailStatus({ status }: Pick<MailFacts, "status">) {
  const t = useTranslations("outbox.status");
  const { tone, Icon } = LOOKS[status];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" className="size-3" />
      {t(status)}
    </Badge>
  );
}
