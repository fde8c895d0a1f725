import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DashboardNav } from "#components/dashboard-nav";
import { currentFrame } from "../visit.ts";

/** The team's part of the site: the way between its pages. Each page asks for itself who may see it. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  // Who may not see the page is told so by the page; a way around is of no use then.
  if (!(await currentFrame()).canManage) return children;
  return (
    <>
      <DashboardParts />
      {children}
    </>
  );
}

function DashboardParts() {
  const t = useTranslations("dashboard.parts");
  const parts = [
    { href: "/dashboard", text: t("overview") },
    { href: "/dashboard/boards", text: t("boards") },
    { href: "/dashboard/settings", text: t("settings") },
    { href: "/dashboard/outbox", text: t("outbox") },
  ];
  return (
    <div className="border-line border-b pb-3">
      <DashboardNav label={t("label")} parts={parts} />
    </div>
  );
}
