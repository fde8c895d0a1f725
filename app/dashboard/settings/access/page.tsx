import { useTranslations } from "next-intl";
import { Checkbox } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { getSettings, type Settings } from "#server/settings";
import { page, titledForTeam } from "../../../pages.tsx";
import { queryOf, type SearchParams } from "../../../urls.ts";
import { requirePermission } from "../../../visit.ts";
import { saveAccess } from "../actions.ts";
import { Panel, SaveButton, SettingsPage } from "../settings-page.tsx";

export const generateMetadata = titledForTeam("settings.pageTitles", "access");

/** Who may take part. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard/settings/access");
  const [settings, { notice }] = await Promise.all([getSettings(viewer), queryOf(searchParams)]);
  return (
    <SettingsPage section="access" notice={notice}>
      <AccessForm settings={settings} />
    </SettingsPage>
  );
});

function AccessForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings");
  const tFields = useTranslations("fields");
  return (
    <Panel title={t("sections.access")} intro={t("accessIntro")}>
      <Form action={saveAccess} className="grid max-w-2xl gap-6">
        <Checkbox name="allowSignup" label={tFields("allowSignup")} hint={t("signupHint")} defaultChecked={settings.allowSignup} />
        <Checkbox name="blockCommonPasswords" label={tFields("blockCommonPasswords")} hint={t("commonHint")} defaultChecked={settings.blockCommonPasswords} />
        <SaveButton />
      </Form>
    </Panel>
  );
}
