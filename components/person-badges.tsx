import { Ban, CircleAlert, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Person } from "#server/people";
import { Badge } from "./ui/badge.tsx";

const ICON = { "aria-hidden": true, className: "size-3" } as const;

/** Marks who runs the site. */
export function RoleBadge({ role }: Pick<Person, "role">) {
  const t = useTranslations("people.roles");
  if (role === "MEMBER") return null;
  return (
    <Badge>
      <ShieldCheck {...ICON} />
      {t(role)}
    </Badge>
  );
}

/** How an account stands: blocked, not yet confirmed, or as it should be. */
export function PersonStatus({ blockedAt, verifiedAt }: Pick<Person, "blockedAt" | "verifiedAt">) {
  const t = useTranslations("people.status");
  if (blockedAt) {
    return (
      <Badge tone="danger">
        <Ban {...ICON} />
        {t("blocked")}
      </Badge>
    );
  }
  if (verifiedAt) return <span className="text-muted">{t("confirmed")}</span>;
  return (
    <Badge tone="warning">
      <CircleAlert {...ICON} />
      {t("unconfirmed")}
    </Badge>
  );
}
