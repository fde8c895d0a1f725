import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { PageHeader } from "#components/ui/page-header";
import { SectionNav } from "#components/ui/section-nav";
import { SubmitButton } from "#components/ui/submit-button";
import { UnsavedGuard } from "#components/ui/unsaved-guard";
import { DoneNotice } from "../done-notice.tsx";

/** The sections of the settings; each is a page below /dashboard/settings, the first that page itself. */
const SECTIONS = ["general", "branding", "access", "mail", "data", "about"] as const;

type Section = (typeof SECTIONS)[number];

/** Where a section is. */
function sectionPath(section: Section): string {
  return section === "general" ? "/dashboard/settings" : `/dashboard/settings/${section}`;
}

type SettingsPageProps = {
  section: Section;
  /** What the page's address says was just done. */
  notice?: string;
  children: ReactNode;
};

/** A page of the settings: the way to the others, and what this one is about. */
export function SettingsPage({ section, notice, children }: SettingsPageProps) {
  const t = useTranslations("settings");
  const sections = SECTIONS.map((name) => ({ href: sectionPath(name), text: t(`sections.${name}`) }));
  return (
    <>
      <div className="grid gap-4">
        <PageHeader title={t("title")} intro={t("intro")} />
        <SectionNav label={t("sections.label")} sections={sections} current={sectionPath(section)} />
      </div>
      <DoneNotice page="settings" notice={notice} />
      {children}
    </>
  );
}

type PanelProps = { title: string; intro?: ReactNode; children: ReactNode };

/** A sheet of the settings: what it is about, and its fields or facts. */
export function Panel({ title, intro, children }: PanelProps) {
  return (
    <Card>
      <section className="grid gap-6">
        <div className="grid max-w-2xl gap-1">
          <h2 className="font-semibold text-xl">{title}</h2>
          {intro && <p className="text-muted">{intro}</p>}
        </div>
        {children}
      </section>
    </Card>
  );
}

/** Ends a form of the settings: saves it, and asks before what was changed is left unsaved. */
export function SaveButton() {
  const t = useTranslations("settings");
  return (
    <>
      <UnsavedGuard question={t("unsaved")} />
      <div>
        <SubmitButton>{t("save")}</SubmitButton>
      </div>
    </>
  );
}
