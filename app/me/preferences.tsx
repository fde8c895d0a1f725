import { useTranslations } from "next-intl";
import { Checkbox } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { RadioField } from "#components/ui/radio-field";
import { SelectField } from "#components/ui/select-field";
import { SubmitButton } from "#components/ui/submit-button";
import type { Theme } from "#lib/browser-choices";
import { LOCALE_NAMES } from "#lib/locales";
import type { Preferences } from "#server/preferences";
import { AccountSection } from "./account-section.tsx";
import { savePreferences } from "./actions.ts";

type PreferencesSectionProps = { preferences: Preferences; theme: Theme | null; notice: string | undefined };

/** How the person likes the site. */
export function PreferencesSection({ preferences: { locale, hasShortcuts }, theme, notice }: PreferencesSectionProps) {
  const t = useTranslations("me.preferences");
  const tThemes = useTranslations("site.themes");
  const themes = (["system", "light", "dark"] as const).map((value) => ({ value, text: tThemes(value) }));
  return (
    <AccountSection id="preferences" notice={notice}>
      {/* Made anew when what is kept changes, as by the switches in the footer. */}
      <Form key={`${locale} ${theme} ${hasShortcuts}`} action={savePreferences} className="grid gap-5">
        <SelectField name="locale" label={t("language")} hint={t("languageHint")} defaultValue={locale ?? ""}>
          <option value="">{t("asBrowser")}</option>
          {Object.entries(LOCALE_NAMES).map(([value, name]) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <RadioField name="theme" label={tThemes("label")} choices={themes} defaultValue={theme ?? "system"} />
        <Checkbox name="hasShortcuts" label={t("shortcuts")} hint={t("shortcutsHint")} defaultChecked={hasShortcuts} />
        <div>
          <SubmitButton>{t("submit")}</SubmitButton>
        </div>
      </Form>
    </AccountSection>
  );
}
