import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "./ui/badge.tsx";

/** Says of the board beside it that only the team sees it. */
export function PrivateBadge() {
  const t = useTranslations("board");
  return (
    <Badge>
      <Lock aria-hidden="true" className="size-3" />
      {t("private")}
    </Badge>
  );
}
