import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { isDevelopment } from "#lib/env";
import { AppError } from "#lib/errors";
import { directionOf } from "#lib/locales";
import type { OwnUser } from "#server/users";
import { page, pageMetadata } from "../pages.tsx";
import { currentLocale } from "../preferences.ts";
import { currentUser } from "../visit.ts";
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
  const [user, locale] = await Promise.all([currentUser(), currentLocale()]);
  return <Gallery person={user} direction={directionOf(locale)} />;
});

function requireDevelopment(): void {
  if (!isDevelopment()) throw new AppError("NOT_FOUND", "There is no such page.");
}

function Gallery({ person, direction }: { person: OwnUser | null; direction: "ltr" | "rtl" }) {
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
      <ShowingGroups person={person} />
      <ChartGroups direction={direction} />
    </>
  );
}
