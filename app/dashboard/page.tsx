import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { ButtonLink, Link } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { PageHeader } from "#components/ui/page-header";
import { listBoards } from "#server/boards";
import { getSettings } from "#server/settings";
import { page, titled } from "../pages.tsx";
import { queryOf, type SearchParams } from "../urls.ts";
import { requirePermission } from "../visit.ts";

export const generateMetadata = titled("dashboard");

/** How the site stands, and what to do next. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard");
  const [{ total }, settings, { notice }] = await Promise.all([listBoards(viewer, { limit: "1" }), getSettings(viewer), queryOf(searchParams)]);
  const t = await getTranslations("dashboard");
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")}>
        <ButtonLink href="/" kind="secondary">
          {t("viewSite")}
        </ButtonLink>
      </PageHeader>
      {notice === "set-up" && <Outcome>{t.rich("setUpDone", { site: () => <bdi className="font-medium">{settings.title}</bdi> })}</Outcome>}
      <div className="grid gap-4 md:grid-cols-3">
        <Part part="boards" href="/dashboard/boards" count={total} />
        <Part part="signup" href="/dashboard/settings" badge={t(settings.allowSignup ? "signup.open" : "signup.closed")} />
        <Part part="outbox" href="/dashboard/outbox" />
      </div>
    </>
  );
});

type PartProps = { part: "boards" | "signup" | "outbox"; href: string; count?: number; badge?: string };

function Part({ part, href, count = 0, badge }: PartProps) {
  const t = useTranslations(`dashboard.${part}`);
  return (
    <Card>
      <div className="grid h-full content-between gap-4">
        <div className="grid gap-2">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="font-semibold text-lg">{t("title", { count })}</h2>
            {badge && <Badge>{badge}</Badge>}
          </div>
          <p className="text-muted">{t("text", { count })}</p>
        </div>
        <p>
          <Link href={href} className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4 hover:decoration-2">
            {t("link")}
          </Link>
        </p>
      </div>
    </Card>
  );
}
