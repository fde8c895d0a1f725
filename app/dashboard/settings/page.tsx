import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { Checkbox, ColorField, Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { getSettings } from "#server/settings";
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";
import { DoneNotice } from "../done-notice.tsx";
import { save } from "./actions.ts";

type Settings = Awaited<ReturnType<typeof getSettings>>;

export const generateMetadata = titled("settings");

/** What the owner can change about the site. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard/settings");
  const [settings, { notice }, t] = await Promise.all([getSettings(viewer), queryOf(searchParams), getTranslations("settings")]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")} />
      <DoneNotice page="settings" notice={notice} />
      <SettingsForm settings={settings} />
    </>
  );
});

function SettingsForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings");
  const tFields = useTranslations("fields");
  return (
    <Form action={save}>
      <Group title={t("general")}>
        <Field name="title" label={tFields("title")} hint={t("titleHint")} defaultValue={settings.title} autoComplete="off" maxLength={100} required />
        <Field
          name="description"
          label={tFields("description")}
          hint={t("descriptionHint")}
          defaultValue={settings.description}
          autoComplete="off"
          maxLength={500}
        />
        <ColorField name="accentColor" label={tFields("accentColor")} hint={t("accentHint")} defaultValue={`#${settings.accentColor}`} />
      </Group>
      <Group title={t("access")}>
        <Checkbox name="allowSignup" label={tFields("allowSignup")} hint={t("signupHint")} defaultChecked={settings.allowSignup} />
        <Checkbox
          name="requireConfirmedEmail"
          label={tFields("requireConfirmedEmail")}
          hint={t("confirmedHint")}
          defaultChecked={settings.requireConfirmedEmail}
        />
        <Checkbox name="blockCommonPasswords" label={tFields("blockCommonPasswords")} hint={t("commonHint")} defaultChecked={settings.blockCommonPasswords} />
      </Group>
      <div>
        <SubmitButton>{t("save")}</SubmitButton>
      </div>
    </Form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <fieldset className="grid max-w-2xl gap-6">
        <legend className="mb-6 font-semibold text-xl">{title}</legend>
        {children}
      </fieldset>
    </Card>
  );
}
