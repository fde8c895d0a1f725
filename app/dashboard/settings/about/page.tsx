import { useTranslations } from "next-intl";
import { FactList } from "#components/ui/fact-list";
import { STANDALONE } from "#components/ui/link";
import { heardVersion } from "#lib/version";
import { page, titledForTeam } from "../../../pages.tsx";
import { currentSiteUrl, requirePermission } from "../../../visit.ts";
import { Panel, SettingsPage } from "../settings-page.tsx";

/** What programs read, and where it is. */
const LINKS = { api: "/api/v1/docs", openapi: "/api/v1/openapi.json", feed: "/feed.atom", health: "/api/health/ready" } as const;

export const generateMetadata = titledForTeam("settings.pageTitles", "about");

/** What runs here, and where programs find it. */
export default page(async () => {
  await requirePermission("settings:update", "/dashboard/settings/about");
  return (
    <SettingsPage section="about">
      <AboutPanel siteUrl={await currentSiteUrl()} />
      <LinksPanel />
    </SettingsPage>
  );
});

function AboutPanel({ siteUrl }: { siteUrl: string }) {
  const t = useTranslations("settings.about");
  const tSections = useTranslations("settings.sections");
  return (
    <Panel title={tSections("about")} intro={t("intro")}>
      <FactList
        facts={[
          { name: t("facts.version"), value: heardVersion() },
          { name: t("facts.node"), value: process.versions.node },
          { name: t("facts.license"), value: t("license") },
          { name: t("facts.address"), value: <bdi>{siteUrl}</bdi> },
        ]}
      />
    </Panel>
  );
}

function LinksPanel() {
  const t = useTranslations("settings.about");
  return (
    <Panel title={t("links")}>
      <ul className="divide-y divide-line">
        {(["api", "openapi", "feed", "health"] as const).map((link) => (
          <li key={link} className="grid gap-0.5 py-3 first:pt-0 last:pb-0">
            {/* Not the router's link: most of these are no pages. */}
            <a href={LINKS[link]} className={`${STANDALONE} justify-self-start font-medium`}>
              {t(link)}
            </a>
            <p className="max-w-2xl text-muted text-sm">{t(`${link}Text`)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
