import { unstable_rethrow } from "next/navigation";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { type ComponentProps, cache, type ReactNode } from "react";
import { CheckList } from "#components/check-list";
import { DraftDone } from "#components/draft";
import { Card } from "#components/ui/card";
import { ButtonLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { PageHeader } from "#components/ui/page-header";
import { Segments } from "#components/ui/segments";
import { Skeleton } from "#components/ui/skeleton";
import { directionOf } from "#lib/locales";
import { lettersStayHere } from "#lib/mail";
import { listAttention } from "#server/attention";
import { runSiteChecks } from "#server/checks";
import { getFirstSteps } from "#server/first-steps";
import { getStatistics, STATISTICS_DAYS, statisticsQuery } from "#server/statistics";
import { page, titledForTeam } from "../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../urls.ts";
import { currentSettings, currentSiteUrl, currentUser, currentViewer, currentVisit, requirePermission } from "../visit.ts";
import { Activity } from "./activity.tsx";
import { AttentionList, isPressing } from "./attention.tsx";
import { FirstSteps, FirstStepsHidden } from "./first-steps.tsx";
import { mailsTo } from "./outbox/address.ts";
import { StreamedSection } from "./streamed-section.tsx";

const currentChecks = cache(async () => runSiteChecks(await currentVisit()));
const currentAttention = cache(async () => {
  const [matters, checks] = await Promise.all([listAttention(await currentViewer()), currentChecks()]);
  return { matters, checks };
});

export const generateMetadata = titledForTeam("dashboard");

/** How the site stands, what came of late, and what to do next. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const query = await queryOf(searchParams);
  const viewer = await requirePermission("settings:update", "/dashboard", query);
  const { notice } = query;
  const { days } = statisticsQuery.catch({ days: "30" }).parse({ days: query.days });
  const [t, { title }, locale, siteUrl] = await Promise.all([getTranslations("dashboard"), currentSettings(), getLocale(), currentSiteUrl()]);
  const addressHref = lettersStayHere() ? mailsTo((await currentUser())?.email ?? "") : "/confirm-address";
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")}>
        <ButtonLink href="/" kind="secondary">
          {t("viewSite")}
        </ButtonLink>
      </PageHeader>
      {notice === "set-up" && (
        <>
          <Outcome>{t.rich("setUpDone", { site: () => <bdi className="font-medium">{title}</bdi> })}</Outcome>
          <DraftDone name="setup" />
        </>
      )}
      {/* What is pressing stands before everything else, though what is there already moves; what can wait stands where it is looked for. */}
      <StreamedSection load={() => currentAttention().catch(orNothing)} skeleton={null}>
        {(waiting) => waiting && isPressing(waiting) && <Waiting {...waiting} />}
      </StreamedSection>
      <StreamedSection load={() => getFirstSteps(viewer)} skeleton={null}>
        {(list) => {
          if (list?.isHidden) return notice === "hidden" && <FirstStepsHidden />;
          return list && <FirstSteps steps={list.steps} addressHref={addressHref} siteUrl={siteUrl} />;
        }}
      </StreamedSection>
      <section aria-labelledby="activity" className="grid gap-4">
        <ActivityHeader days={days} />
        <StreamedSection load={() => getStatistics(viewer, { days })} skeleton={<ActivitySkeleton />}>
          {(statistics) => <Activity statistics={statistics} direction={directionOf(locale)} />}
        </StreamedSection>
      </section>
      <div className="grid gap-4">
        <StreamedSection load={currentAttention} skeleton={<Skeleton className="h-40" />}>
          {(waiting) => !isPressing(waiting) && <Waiting {...waiting} />}
        </StreamedSection>
        <Sheet id="health" title={t("health")}>
          <StreamedSection load={currentChecks} skeleton={<Skeleton className="h-96" />}>
            {(checks) => <CheckList checks={checks} />}
          </StreamedSection>
        </Sheet>
      </div>
    </>
  );
});

async function ActivityHeader({ days }: { days: string }) {
  const [t, { timeZone }] = await Promise.all([getTranslations("dashboard.activity"), currentSettings()]);
  const segments = STATISTICS_DAYS.map((each) => ({
    href: withQuery("/dashboard", { days: each === "30" ? undefined : each }),
    text: t("days", { days: Number(each) }),
    isCurrent: each === days,
  }));
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid gap-0.5">
        <h2 id="activity" className="font-semibold text-xl">
          {t("title")}
        </h2>
        <p className="text-muted text-sm">{t.rich("timeZone", { zone: () => <bdi>{timeZone.replaceAll("_", " ")}</bdi> })}</p>
      </div>
      <Segments label={t("period")} segments={segments} />
    </div>
  );
}

function Sheet({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card>
        <h2 id={id} className="mb-4 scroll-mt-6 font-semibold text-xl">
          {title}
        </h2>
        {children}
      </Card>
    </section>
  );
}

function ActivitySkeleton() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-96" />
      <div className="grid grid-cols-2 gap-4 xl:grid-cols-4">
        <Skeleton className="h-36" />
        <Skeleton className="h-36" />
        <Skeleton className="h-36" />
        <Skeleton className="h-36" />
      </div>
    </div>
  );
}

/** Nothing where it could not be read: the section further down says so. */
function orNothing(error: unknown): null {
  unstable_rethrow(error);
  return null;
}

function Waiting(waiting: ComponentProps<typeof AttentionList>) {
  const t = useTranslations("dashboard.attention");
  return (
    <Sheet id="attention" title={t("title")}>
      <AttentionList {...waiting} />
    </Sheet>
  );
}
