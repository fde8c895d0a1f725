import { useLocale, useTranslations } from "next-intl";
import { AccentPreview } from "#components/accent-preview";
import { SiteMark } from "#components/site-mark";
import { ColorCode } from "#components/ui/color-code";
import { Checkbox, ColorField } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { cardVersion, siteCard } from "#server/cards";
import { CARD_SIZE } from "#server/cards/sheet";
import { getSettings, type Settings } from "#server/settings";
import { page, titledForTeam } from "../../../pages.tsx";
import { TooLargeNotice } from "../../../too-large-notice.tsx";
import { UploadField } from "../../../upload-field.tsx";
import { queryOf, type SearchParams } from "../../../urls.ts";
import { currentSettings, requirePermission } from "../../../visit.ts";
import { saveBranding } from "../actions.ts";
import { Panel, SaveButton, SettingsPage } from "../settings-page.tsx";
import { AccentCheck } from "./accent-check.tsx";

export const generateMetadata = titledForTeam("settings.pageTitles", "branding");

/** How the site looks: its color and logo, and what becomes of them. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard/settings/branding");
  const [settings, site, { notice }] = await Promise.all([getSettings(viewer), currentSettings(), queryOf(searchParams)]);
  const version = cardVersion(siteCard(site));
  return (
    <SettingsPage section="branding" notice={notice}>
      <TooLargeNotice notice={notice} />
      <BrandingForm settings={settings} />
      <CardPanel version={version} />
    </SettingsPage>
  );
});

function BrandingForm({ settings: { accentColor, logo, showPoweredBy } }: { settings: Settings }) {
  const t = useTranslations("settings");
  const tFields = useTranslations("fields");
  return (
    <Panel title={t("sections.branding")} intro={t("brandingIntro")}>
      <Form action={saveBranding} className="grid gap-8">
        <div className="grid max-w-2xl gap-3">
          <UploadField name="logo" label={tFields("logo")} hint={t("logo.hint")}>
            <SiteMark logo={logo} className="size-16 max-w-32" />
            <span className="text-muted text-sm">{t(logo ? "logo.own" : "logo.none")}</span>
          </UploadField>
          {logo && <Checkbox name="removeLogo" label={t("logo.remove")} hint={t("logo.removeHint")} />}
        </div>
        <AccentCheck stored={accentColor} locale={useLocale()} words={useContrastWords()} preview={<AccentPreview logo={logo} />}>
          <ColorField name="accentColor" label={tFields("accentColor")} hint={t("accentHint")} defaultValue={`#${accentColor}`}>
            <ColorCode of="accentColor" label={tFields("colorCode")} defaultValue={`#${accentColor}`} />
          </ColorField>
        </AccentCheck>
        <Checkbox name="showPoweredBy" label={tFields("showPoweredBy")} hint={t("poweredByHint")} defaultChecked={showPoweredBy} />
        <SaveButton />
      </Form>
    </Panel>
  );
}

function useContrastWords() {
  const t = useTranslations("settings.contrast");
  return {
    title: t("title"),
    text: t("text"),
    given: t("given"),
    button: t("button"),
    lightInk: t("lightInk"),
    darkInk: t("darkInk"),
    readable: t("readable"),
    faint: t("faint"),
  };
}

function CardPanel({ version }: { version: string }) {
  const t = useTranslations("settings");
  return (
    <Panel title={t("cardTitle")} intro={t("cardText")}>
      <img src={`/card.png?v=${version}`} alt={t("cardAlt")} {...CARD_SIZE} className="h-auto w-full max-w-2xl rounded-lg border border-line" />
    </Panel>
  );
}
