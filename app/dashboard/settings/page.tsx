import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { Code } from "#components/ui/code";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { SelectField } from "#components/ui/select-field";
import { LOCALE_NAMES } from "#lib/locales";
import { getSettings, MAX_ADDRESS, MAX_SITE_DESCRIPTION, MAX_SITE_TITLE, type Settings } from "#server/settings";
import { page, titledForTeam } from "../../pages.tsx";
import { queryOf, type SearchParams } from "../../urls.ts";
import { currentSiteUrl, requirePermission } from "../../visit.ts";
import { saveGeneral } from "./actions.ts";
import { SaveButton, SettingsPage } from "./settings-page.tsx";

export const generateMetadata = titledForTeam("settings");

/** What the site is called, which language and time it keeps, and what is linked from every page. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard/settings");
  const [settings, siteUrl, { notice }] = await Promise.all([getSettings(viewer), currentSiteUrl(), queryOf(searchParams)]);
  return (
    <SettingsPage section="general" notice={notice}>
      <GeneralForm settings={settings} siteUrl={siteUrl} />
    </SettingsPage>
  );
});

function GeneralForm({ settings, siteUrl }: { settings: Settings; siteUrl: string }) {
  const t = useTranslations("settings");
  const tFields = useTranslations("fields");
  return (
    <Card>
      <Form action={saveGeneral} className="grid max-w-2xl gap-10">
        <fieldset className="grid gap-6">
          <Legend title={t("sections.general")} intro={t("generalIntro")} />
          <Field
            name="title"
            label={tFields("title")}
            hint={t("titleHint")}
            defaultValue={settings.title}
            autoComplete="off"
            maxLength={MAX_SITE_TITLE}
            required
          />
          <Field
            name="description"
            label={tFields("descriptionOptional")}
            hint={t("descriptionHint")}
            defaultValue={settings.description}
            autoComplete="off"
            maxLength={MAX_SITE_DESCRIPTION}
          />
          <SiteAddress siteUrl={siteUrl} />
          <SelectField name="locale" label={tFields("locale")} hint={t("localeHint")} defaultValue={settings.locale}>
            {Object.entries(LOCALE_NAMES).map(([locale, name]) => (
              <option key={locale} value={locale} lang={locale}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField name="timeZone" label={tFields("timeZone")} hint={t("timeZoneHint")} defaultValue={settings.timeZone}>
            <TimeZones current={settings.timeZone} />
          </SelectField>
        </fieldset>
        <fieldset className="grid gap-6">
          <Legend title={t("legal")} intro={t("legalIntro")} />
          <Field
            name="contact"
            label={tFields("contactOptional")}
            hint={t("contactHint")}
            defaultValue={settings.contact}
            autoComplete="off"
            maxLength={MAX_ADDRESS}
            isLiteral
          />
          <AddressField name="privacyUrl" defaultValue={settings.privacyUrl} />
          <AddressField name="imprintUrl" defaultValue={settings.imprintUrl} />
        </fieldset>
        <SaveButton />
      </Form>
    </Card>
  );
}

/** Where the site is: no setting of this page, for letters must not lead where somebody typed by mistake. */
function SiteAddress({ siteUrl }: { siteUrl: string }) {
  const t = useTranslations("settings");
  return (
    <div className="grid gap-1.5">
      <p className="font-medium">{t("siteUrl")}</p>
      <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2">
        <Lock aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <bdi className="break-all">{siteUrl}</bdi>
      </p>
      <p className="text-muted text-sm">{t.rich("siteUrlHint", { code: (text) => <Code>{text}</Code> })}</p>
    </div>
  );
}

function Legend({ title, intro }: { title: string; intro: string }) {
  return (
    <legend className="mb-6 grid gap-1">
      <h2 className="font-semibold text-xl">{title}</h2>
      <span className="text-muted">{intro}</span>
    </legend>
  );
}

function AddressField({ name, defaultValue }: { name: "privacyUrl" | "imprintUrl"; defaultValue: string }) {
  const t = useTranslations("settings");
  const tFields = useTranslations("fields");
  return (
    <Field
      name={name}
      type="url"
      label={tFields(`${name}Optional`)}
      hint={t("addressHint")}
      defaultValue={defaultValue}
      autoComplete="off"
      maxLength={MAX_ADDRESS}
      isLiteral
    />
  );
}

/** All that this machine knows, by continent, as `Europe/Berlin` is filed; UTC first. */
function TimeZones({ current }: { current: string }) {
  const zones = [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])];
  const regions = Map.groupBy(zones, (zone) => (zone.includes("/") ? (zone.split("/")[0] ?? "") : ""));
  return [...regions].map(([region, names]) => {
    const options = names.map((zone) => (
      <option key={zone} value={zone}>
        {zone.replaceAll("_", " ")}
      </option>
    ));
    return region ? (
      <optgroup key={region} label={region}>
        {options}
      </optgroup>
    ) : (
      options
    );
  });
}
