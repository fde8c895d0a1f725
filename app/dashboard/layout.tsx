import { LayoutDashboard, Mail, Settings, SquareKanban, Users } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DashboardNav } from "#components/dashboard-nav";
import { currentFrame } from "../visit.ts";

/** The team's part of the site: the way between its pages. Each page asks for itself who may see it. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  // Who may not see the page is told so by the page; a way around is of no use then.
  if (!(await currentFrame()).canManage) return children;
  return (
    <div className="grid gap-8 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-12">
      <DashboardParts />
      <div className="grid min-w-0 content-start gap-8">{children}</div>
    </div>
  );
}

function DashboardParts() {
  const t = useTranslations("dashboard.parts");
  const icon = { "aria-hidden": true, className: "size-4" } as const;
  const parts = [
    { href: "/dashboard", text: t("overview"), icon: <LayoutDashboard {...icon} /> },
    { href: "/dashboard/boards", text: t("boards"), icon: <SquareKanban {...icon} /> },
    { href: "/dashboard/users", text: t("users"), icon: <Users {...icon} /> },
    { href: "/dashboard/settings", text: t("settings"), icon: <Settings {...icon} /> },
    { href: "/dashboard/outbox", text: t("outbox"), icon: <Mail {...icon} /> },
  ];
  return <DashboardNav label={t("label")} parts={parts} />;
}
