import { ChevronRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { DottedFacts } from "#components/dotted-facts";
import { EmailAddress } from "#components/email-address";
import { MailStatus } from "#components/mail-status";
import { ListCard } from "#components/ui/card";
import { Code } from "#components/ui/code";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { SearchBox } from "#components/ui/search-box";
import { Segments } from "#components/ui/segments";
import { Time } from "#components/ui/time";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import { MAX_EMAIL_LENGTH } from "#server/credentials";
import { countMails, listMails, type MailFacts } from "#server/mails";
import { LETTER_STATES } from "#server/mails/letter-state";
import { page, titledForTeam } from "../../pages.tsx";
import { queryOf, type SearchParams } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";
import { DoneNotice } from "../done-notice.tsx";
import { OUTBOX, type OutboxQuery, outboxAddress, outboxQuery } from "./address.ts";
import { RetryForm } from "./retry-form.tsx";

export const generateMetadata = titledForTeam("outbox");

/** The letters that the site wrote, the newest first, and how each fared. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { notice, ...asked } = await queryOf(searchParams);
  const viewer = await requirePermission("mail:read", OUTBOX, asked);
  const query = outboxQuery(asked);
  const [{ mails, next }, counts] = await Promise.all([listMails(viewer, query), countMails(viewer, query)]);
  const [t, tPages] = await Promise.all([getTranslations("outbox"), getTranslations("pages")]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")} />
      <DoneNotice page="outbox" notice={notice} />
      {lettersStayHere() && (
        <Notice>{t.rich("staysHere", { code: (text) => <Code>{text}</Code>, link: (text) => <Link href="/dashboard/settings/mail">{text}</Link> })}</Notice>
      )}
      {env().MAIL === "none" && <Notice tone="danger">{t.rich("noMail", { code: (text) => <Code>{text}</Code> })}</Notice>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <MailSearch query={query} />
        <Filters query={query} counts={counts} />
      </div>
      {mails.length > 0 ? <Letters mails={mails} query={query} /> : <Nothing query={query} counts={counts} />}
      <Pagination
        label={tPages("label")}
        previous={query.after && mails.length > 0 ? { href: outboxAddress({ ...query, after: undefined }), text: t("newest"), isStart: true } : null}
        next={next ? { href: outboxAddress({ ...query, after: next }), text: t("older") } : null}
      />
    </>
  );
});

function MailSearch({ query: { q, status } }: { query: OutboxQuery }) {
  const t = useTranslations("outbox.search");
  const words = { label: t("label"), placeholder: t("label"), submit: t("submit") };
  return (
    <div className="flex min-w-0 grow sm:max-w-md">
      <SearchBox action={OUTBOX} q={q} keep={status ? { status } : {}} words={words} maxLength={MAX_EMAIL_LENGTH} />
    </div>
  );
}

type Counts = Awaited<ReturnType<typeof countMails>>;

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function Filters({ query: { q, status }, counts }: { query: OutboxQuery; counts: Counts }) {
  const t = useTranslations("outbox");
  const format = useFormatter();
  const all = { href: outboxAddress({ q }), text: t("filter.all"), isCurrent: !status, count: format.number(totalOf(counts)) };
  // Where letters go today is always offered; where they went at another time, while one did.
  const away = lettersStayHere() ? "SENT" : "KEPT";
  const states = LETTER_STATES.filter((each) => each !== away || counts[each] > 0 || each === status);
  const some = states.map((each) => ({
    href: outboxAddress({ q, status: each }),
    text: t(`status.${each}`),
    isCurrent: each === status,
    count: format.number(counts[each]),
  }));
  return <Segments label={t("filter.label")} segments={[all, ...some]} />;
}

function Letters({ mails, query }: { mails: MailFacts[]; query: OutboxQuery }) {
  const t = useTranslations("outbox");
  return (
    <ListCard>
      {mails.map((mail) => (
        <li key={mail.mailId} className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 hover:bg-sunken/40 sm:flex-nowrap">
          <div className="grid min-w-0 gap-1 max-sm:pe-8">
            <h2 className="font-medium">
              <Link
                href={`${OUTBOX}/${mail.mailId}`}
                className="inline-flex min-h-6 min-w-6 items-center underline-offset-4 after:absolute after:inset-0 hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
              >
                {t.has(`letters.${mail.letter}`) ? t(`letters.${mail.letter}`) : mail.letter}
              </Link>
            </h2>
            <p className="text-muted text-sm">
              <DottedFacts>
                {/* A long address breaks beside the word before it, not below. */}
                <span className="flex max-w-full gap-x-1 wrap-normal">
                  {t.rich("to", { address: () => <EmailAddress address={mail.to} className="wrap-anywhere min-w-0" /> })}
                </span>
                <span>
                  <Time at={mail.createdAt} withTime />
                </span>
              </DottedFacts>
            </p>
            {mail.lastError && <p className="text-danger-ink text-sm">{t.rich("failedWith", { error: () => <bdi>{mail.lastError}</bdi> })}</p>}
          </div>
          <div className="flex min-w-0 flex-wrap items-center gap-3 sm:shrink-0 sm:flex-nowrap">
            {mail.status === "FAILED" && (
              <div className="relative max-sm:order-last">
                <RetryForm mailId={mail.mailId} query={query} label={t("retryNamed", { address: mail.to })} />
              </div>
            )}
            <MailStatus status={mail.status} />
            <ChevronRight aria-hidden="true" className="mirrored size-4 text-muted max-sm:absolute max-sm:end-4 max-sm:top-5" />
          </div>
        </li>
      ))}
    </ListCard>
  );
}

/** No letter that was looked for is not the same as no letter. */
function Nothing({ query: { q, after, status }, counts }: { query: OutboxQuery; counts: Counts }) {
  const t = useTranslations("outbox.empty");
  const foundCount = totalOf(counts);
  if (after) {
    return (
      <EmptyState title={t("endTitle")} text={t("endText")}>
        <ButtonLink href={outboxAddress({ q, status })}>{t("first")}</ButtonLink>
      </EmptyState>
    );
  }
  if (q && status && foundCount > 0) return <NoneAmongFound q={q} status={status} foundCount={foundCount} />;
  if (!q && !status) return <EmptyState title={t("title")} text={t("text")} />;
  return (
    <EmptyState title={q ? t("foundTitle", { q }) : t(`none.${status}.title`)} text={q ? t("foundText") : t(`none.${status}.text`)}>
      <ButtonLink href={OUTBOX} kind="secondary">
        {t("all")}
      </ButtonLink>
    </EmptyState>
  );
}

type NoneAmongFoundProps = { q: string; status: MailFacts["status"]; foundCount: number };

/** What the search finds stands in another way: there are letters that match, and there may be others that stand in this one. */
function NoneAmongFound({ q, status, foundCount }: NoneAmongFoundProps) {
  const t = useTranslations("outbox.empty.found");
  return (
    <EmptyState title={t(status, { q })} text={t("text", { count: foundCount })}>
      <ButtonLink href={outboxAddress({ q })}>{t("all")}</ButtonLink>
      <ButtonLink href={outboxAddress({ status })} kind="secondary">
        {t("clear")}
      </ButtonLink>
    </EmptyState>
  );
}
