import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice";

/** Says that the front server took no form, for its file was too large; without JavaScript nobody noticed before it was sent. For each page that takes files. */
export function TooLargeNotice({ notice }: { notice: string | undefined }) {
  const t = useTranslations("errors");
  return notice === "too-large" && <Notice tone="danger">{t("PAYLOAD_TOO_LARGE")}</Notice>;
}
