import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { isDevelopment } from "#lib/env";
import { AppError } from "#lib/errors";
import { directionOf } from "#lib/locales";
import { page, pageMetadata } from "../pages.tsx";
import { currentLocale } from "../preferences.ts";
import { currentViewer } from "../visit.ts";
import { ChartGroups } from "./charts.tsx";
import { ControlGroups } from "./controls.tsx";
import { FieldGroups } from "./fields.tsx";
import { ShowingGroups } from "./showings.tsx";

export const generateMetadata = pageMetadata(async () => {
  requireDevelopment();
  return { title: (await getTranslations("gallery"))("title"), robots: { index: false } };
});

/** Every part of `components/ui` in each of its states, for whoever works on them. A built site has no such page. */
export default page(async () => {
  requireDevelopment();
  const [viewer, locale] = await Promise.all([currentViewer(), currentLocale()]);
  return <Gallery userId={viewer?.userId ?? null} direction={directionOf(locale)} />;
});

function requireDevelopment(): void {
  if (!isDevelopment()) throw new AppError("NOT_FOUND", "There is no such page.");
}

function Gallery({ userId, direction }: { userId: string | null; direction: "ltr" | "rtl" }) {
  const t = useTranslations("gallery");
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")} crumbs={[{ href: "/", text: t("link") }]} crumbsLabel={t("groups.navigation")}>
        <ButtonLink href="#charts" kind="secondary">
          {t("groups.charts")}
        </ButtonLink>
      </PageHeader>
      <ControlGroups />
      <FieldGroups />
      <ShowingGroups userId={userId} />
      <ChartGroups direction={direction} />
    </>
  );
}
