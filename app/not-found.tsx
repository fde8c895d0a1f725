import type { Metadata } from "next";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notFound");
  return { title: t("title") };
}

/** There is no such page, or the visitor may not know of it. */
export default function NotFound() {
  const t = useTranslations("notFound");
  return (
    <>
      <PageHeader title={t("title")} intro={t("text")} />
      <div>
        <ButtonLink href="/">{t("home")}</ButtonLink>
      </div>
    </>
  );
}
