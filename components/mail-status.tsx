import { Archive, Check, Clock, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { MailFacts } from "#server/mails";
import { Badge } from "./ui/badge.tsx";

const LOOKS = {
  QUEUED: { tone: "neutral", Icon: Clock },
  SENT: { tone: "success", Icon: Check },
  FAILED: { tone: "danger", Icon: X },
  KEPT: { tone: "neutral", Icon: Archive },
} as const;

/** Whether a letter waits, was sent, or was given up; or lies here, for the owner to read. */
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
