import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { MailStatus } from "#components/mail-status";
import { ListCard } from "#components/ui/card";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { Time } from "#components/ui/time";
import { env } from "#lib/env";
import { listMails, type MailFacts, mailsQuery } from "#server/mails";
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";
import { DoneNotice } from "../done-notice.tsx";
import { RetryForm } from "./retry-form.tsx";

export const generateMetadata = titled("outbox");

/** The letters that the site wrote, the newest first, and how each fared. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("mail:read", "/dashboard/outbox");
  const { after, notice } = await queryOf(searchParams);
  const isQuery = mailsQuery.safeParse({ after }).success;
  const { mails, next } = await listMails(viewer, isQuery ? { after } : {});
  const isFirst = !after || !isQuery;
  const [t, tPages] = await Promise.all([getTranslations("outbox"), getTranslations("pages")]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")} />
      <DoneNotice page="outbox" notice={notice} />
      {env().MAIL === "outbox" && <Notice>{t.rich("staysHere", { code: (text) => <code>{text}</code> })}</Notice>}
      {env().MAIL === "none" && <Notice tone="danger">{t.rich("noMail", { code: (text) => <code>{text}</code> })}</Notice>}
      {mails.length > 0 ? <Letters mails={mails} /> : <Nothing isFirst={isFirst} />}
      <Pagination
        label={tPages("label")}
        previous={isFirst ? null : { href: "/dashboard/outbox", text: t("newest") }}
        next={next ? { href: withQuery("/dashboard/outbox", { after: next }), text: t("older") } : null}
      />
    </>
  );
});

function Letters({ mails }: { mails: MailFacts[] }) {
  const t = useTranslations("outbox");
  return (
    <ListCard>
      {mails.map((mail) => (
        <li key={mail.mailId} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:flex-nowrap">
          <div className="grid min-w-0 gap-1">
            <h2 className="font-medium">
              <Link href={`/dashboard/outbox/${mail.mailId}`}>{t.has(`letters.${mail.letter}`) ? t(`letters.${mail.letter}`) : mail.letter}</Link>
            </h2>
            <p className="flex flex-wrap gap-x-4 text-muted text-sm">
              <span>{t.rich("to", { address: () => <bdi>{mail.to}</bdi> })}</span>
              <Time at={mail.createdAt} withTime />
            </p>
            {mail.lastError && <p className="text-danger-ink text-sm">{t.rich("failedWith", { error: () => <bdi>{mail.lastError}</bdi> })}</p>}
          </div>
          <div className="flex shrink-0 items-center gap-3">
            <MailStatus status={mail.status} />
            {mail.status === "FAILED" && <RetryForm mailId={mail.mailId} label={t("retryNamed", { address: mail.to })} />}
          </div>
        </li>
      ))}
    </ListCard>
  );
}

function Nothing({ isFirst }: { isFirst: boolean }) {
  const t = useTranslations("outbox.empty");
  if (isFirst) return <EmptyState title={t("title")} text={t("text")} />;
  return (
    <EmptyState title={t("endTitle")} text={t("endText")}>
      <ButtonLink href="/dashboard/outbox">{t("first")}</ButtonLink>
    </EmptyState>
  );
}
