import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "#components/ui/page-header";
import { getPreferences } from "#server/preferences";
import { listSessions } from "#server/sessions";
import { getOwnUser } from "#server/users";
import { page, titled } from "../pages.tsx";
import { currentTheme } from "../preferences.ts";
import { queryOf, type SearchParams } from "../urls.ts";
import { currentViewer, currentVisit } from "../visit.ts";
import { PreferencesSection } from "./preferences.tsx";
import { NameSection, PictureSection } from "./profile.tsx";
import { EmailSection, PasswordSection, SessionsSection } from "./security.tsx";

export const generateMetadata = titled("me");

/** Everything that a person can change about their own account. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await currentViewer();
  if (!viewer) redirect("/login?next=%2Fme");
  const [user, preferences, sessions, theme, { notice }, t] = await Promise.all([
    getOwnUser(viewer, await currentVisit()),
    getPreferences(viewer),
    listSessions(viewer),
    currentTheme(),
    queryOf(searchParams),
    getTranslations("me"),
  ]);
  return (
    <div className="mx-auto grid w-full max-w-4xl gap-10">
      <PageHeader title={t("title")} intro={t("intro")} />
      <NameSection name={user.name} notice={notice} />
      <PictureSection userId={user.userId} avatarId={preferences.avatarId} notice={notice} />
      <EmailSection email={user.email} isVerified={user.isVerified} notice={notice} />
      <PasswordSection email={user.email} notice={notice} />
      <PreferencesSection preferences={preferences} theme={theme} notice={notice} />
      <SessionsSection sessions={sessions} notice={notice} />
    </div>
  );
});
