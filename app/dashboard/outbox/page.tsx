import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { MailStatus } from "#components/mail-status";
import { ListCard } from "#components/ui/card";
import { Code } from "#components/ui/code";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { Segments } from "#components/ui/segments";
import { Time } from "#components/ui/time";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import { countMails, listMails, type MailFacts, mailsQuery } from "#server/mails";
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";
import { DoneNotice } from "../done-notice.tsx";
import { RetryForm } from "./retry-form.tsx";

export const generateMetadata = titled("outbox");

/** The letters that the site wrote, the newest first, and how each fared. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("mail:read", "/dashboard/outbox");
  const { after, status, notice } = await queryOf(searchParams);
  const query = mailsQuery.catch({}).parse({ after, status });
  const [{ mails, next }, counts] = await Promise.all([listMails(viewer, query), countMails(viewer)]);
  const [t, tPages] = await Promise.all([getTranslations("outbox"), getTranslations("pages")]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")} />
      <DoneNotice page="outbox" notice={notice} />
      {lettersStayHere() && <Notice>{t.rich("staysHere", { code: (text) => <Code>{text}</Code> })}</Notice>}
      {env().MAIL === "none" && <Notice tone="danger">{t.rich("noMail", { code: (text) => <Code>{text}</Code> })}</Notice>}
      <div className="grid gap-4">
        <Filters status={query.status} counts={counts} />
        {mails.length > 0 ? <Letters mails={mails} /> : <Nothing query={query} />}
      </div>
      <Pagination
        label={tPages("label")}
        previous={query.after ? { href: addressOf({ status: query.status }), text: t("newest") } : null}
        next={next ? { href: addressOf({ status: query.status, after: next }), text: t("older") } : null}
      />
    </>
  );
});

type Query = { after?: string; status?: MailFacts["status"] };

function addressOf({ after, status }: Query): string {
  return withQuery("/dashboard/outbox", { status, after });
}

function Filters({ status, counts }: Pick<Query, "status"> & { counts: Awaited<ReturnType<typeof countMails>> }) {
  const t = useTranslations("outbox");
  const format = useFormatter();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const all = { href: addressOf({}), text: t("filter.all"), isCurrent: !status, count: format.number(total) };
  const some = (["QUEUED", "SENT", "FAILED"] as const).map((each) => ({
    href: addressOf({ status: each }),
    text: t(`status.${each === "SENT" && lettersStayHere() ? "KEPT" : each}`),
    isCurrent: each === status,
    count: format.number(counts[each]),
  }));
  return <Segments label={t("filter.label")} segments={[all, ...some]} />;
}

function Letters({ mails }: { mails: MailFacts[] }) {
  const t = useTranslations("outbox");
  return (
    <ListCard>
      {mails.map((mail) => (
        <li key={mail.mailId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:flex-nowrap">
          <div className="grid min-w-0 gap-1">
            <h2 className="font-medium">
              <Link
                href={`/dashboard/outbox/${mail.mailId}`}
                className="inline-flex min-h-6 min-w-6 items-center underline-offset-4 hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
              >
                {t.has(`letters.${mail.letter}`) ? t(`letters.${mail.letter}`) : mail.letter}
              </Link>
            </h2>
            <p className="flex flex-wrap gap-x-4 text-muted text-sm">
              <span>{t.rich("to", { address: () => <bdi>{mail.to}</bdi> })}</span>
              <Time at={mail.createdAt} withTime />
            </p>
            {mail.lastError && <p className="text-danger-ink text-sm">{t.rich("failedWith", { error: () => <bdi>{mail.lastError}</bdi> })}</p>}
          </div>
          <div className="flex min-w-0 flex-wrap items-center gap-3 sm:shrink-0 sm:flex-nowrap">
            <MailStatus status={mail.status} staysHere={lettersStayHere()} />
            {mail.status === "FAILED" && <RetryForm mailId={mail.mailId} label={t("retryNamed", { address: mail.to })} />}
          </div>
        </li>
      ))}
    </ListCard>
  );
}

function Nothing({ query: { after, status } }: { query: Query }) {
  const t = useTranslations("outbox.empty");
  if (!after && !status) return <EmptyState title={t("title")} text={t("text")} />;
  if (!after) {
    return (
      <EmptyState title={t("filteredTitle")} text={t("filteredText")}>
        <ButtonLink href="/dashboard/outbox" kind="secondary">
          {t("all")}
        </ButtonLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("endTitle")} text={t("endText")}>
      <ButtonLink href="/dashboard/outbox">{t("first")}</ButtonLink>
    </EmptyState>
  );
}
