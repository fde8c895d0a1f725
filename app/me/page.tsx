import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "#components/ui/page-header";
import { findConfirmationState } from "#server/email-confirmation";
import { can } from "#server/permissions";
import { getPreferences } from "#server/preferences";
import { listSessions } from "#server/sessions";
import { page, titled } from "../pages.tsx";
import { currentTheme } from "../preferences.ts";
import { queryOf, type SearchParams } from "../urls.ts";
import { currentUser, currentViewer } from "../visit.ts";
import { PreferencesSection } from "./preferences.tsx";
import { NameSection, PictureSection } from "./profile.tsx";
import { EmailSection, PasswordSection, SessionsSection } from "./security.tsx";

export const generateMetadata = titled("me");

/** Everything that a person can change about their own account. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const [viewer, user] = await Promise.all([currentViewer(), currentUser()]);
  if (!user) redirect("/login?next=%2Fme");
  const [preferences, sessions, theme, letter, { notice }, t] = await Promise.all([
    getPreferences(viewer),
    listSessions(viewer),
    currentTheme(),
    user.isVerified ? null : findConfirmationState(viewer),
    queryOf(searchParams),
    getTranslations("me"),
  ]);
  return (
    <div className="grid w-full gap-10">
      <PageHeader title={t("title")} intro={t("intro")} />
      <NameSection name={user.name} notice={notice} />
      <PictureSection user={user} notice={notice} />
      <EmailSection email={user.email} isVerified={user.isVerified} letter={letter} canReadOutbox={can(viewer, "mail:read")} notice={notice} />
      <PasswordSection email={user.email} notice={notice} />
      <PreferencesSection preferences={preferences} theme={theme} notice={notice} />
      <SessionsSection sessions={sessions} notice={notice} />
    </div>
  );
});
