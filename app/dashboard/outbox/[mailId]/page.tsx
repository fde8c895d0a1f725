import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { EmailAddress } from "#components/email-address";
import { MailStatus } from "#components/mail-status";
import { NamedCode } from "#components/named-code";
import { Card } from "#components/ui/card";
import { FactList } from "#components/ui/fact-list";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Time } from "#components/ui/time";
import { lettersStayHere } from "#lib/mail";
import { getMail } from "#server/mails/letters";
import { page, teamMetadata } from "../../../pages.tsx";
import { currentUser, currentViewer, requirePermission } from "../../../visit.ts";
import { OUTBOX } from "../address.ts";
import { RetryForm } from "../retry-form.tsx";

type Mail = Awaited<ReturnType<typeof getMail>>;
type LetterPageProps = { params: Promise<{ mailId: string }> };

const mailOf = cache(async (mailId: string) => getMail(await currentViewer(), mailId));

export const generateMetadata = teamMetadata(async ({ params }: LetterPageProps) => {
  const [t, { to }] = await Promise.all([getTranslations("outbox"), mailOf((await params).mailId)]);
  return { title: t("letterTo", { address: to }) };
});

/** One letter, as it was or will be sent. */
export default page(async ({ params }: LetterPageProps) => {
  const { mailId } = await params;
  await requirePermission("mail:read", `${OUTBOX}/${mailId}`);
  const [mail, user] = await Promise.all([mailOf(mailId), currentUser()]);
  const [t, tSite] = await Promise.all([getTranslations("outbox"), getTranslations("site")]);
  const name = t.has(`letters.${mail.letter}`) ? t(`letters.${mail.letter}`) : mail.letter;
  const isUndelivered = mail.status === "KEPT" || mail.status === "FAILED" || (mail.status === "QUEUED" && lettersStayHere());
  return (
    <>
      <PageHeader
        title={t.rich("letterToHeading", { address: () => <EmailAddress address={mail.to} /> })}
        intro={name}
        crumbs={[{ href: OUTBOX, text: t("title") }]}
        crumbsLabel={tSite("breadcrumbs")}
      >
        {mail.status === "FAILED" && <RetryForm mailId={mail.mailId} />}
      </PageHeader>
      <MailTable mail={mail} />
      {mail.oneTimeLink && isUndelivered && mail.to !== user?.email && <PassOn link={mail.oneTimeLink} mail={mail} />}
      {mail.rendered ? <Content mailId={mail.mailId} text={mail.rendered.text} /> : <Notice>{t("contentGone")}</Notice>}
    </>
  );
});

function MailTable({ mail }: { mail: Mail }) {
  const t = useTranslations("outbox.facts");
  const goesOut = mail.status !== "KEPT";
  const facts = [
    { name: t("to"), value: <EmailAddress address={mail.to} /> },
    mail.rendered && { name: t("subject"), value: <bdi>{mail.rendered.subject}</bdi> },
    { name: t("status"), value: <MailStatus status={mail.status} /> },
    { name: t("written"), value: <Time at={mail.createdAt} withTime /> },
    goesOut && mail.sentAt && { name: t("sent"), value: <Time at={mail.sentAt} withTime /> },
    goesOut && { name: t("attempts"), value: mail.attempts },
    mail.nextAttemptAt && { name: t("nextAttempt"), value: <Time at={mail.nextAttemptAt} withTime /> },
    mail.lastError && { name: t("error"), value: <bdi>{mail.lastError}</bdi> },
  ].filter((fact) => fact !== null && fact !== "" && fact !== false);
  return (
    <Card>
      <FactList facts={facts} layout="columns" />
    </Card>
  );
}

/** What stays here, or did not get through, arrives nowhere: the team hands it on. */
function PassOn({ link, mail: { to: address, status } }: { link: string; mail: Mail }) {
  const t = useTranslations("outbox.passOn");
  return (
    <section aria-labelledby="pass-on" className="grid gap-3">
      <h2 id="pass-on" className="font-semibold text-xl">
        {t("title")}
      </h2>
      <p className="max-w-2xl text-muted">
        {t.rich(status === "FAILED" ? "textFailed" : "text", { address: () => <EmailAddress address={address} className="font-medium text-ink" /> })}
      </p>
      <NamedCode code={link} name={t("link")} />
    </section>
  );
}

function Content({ mailId, text }: { mailId: string; text: string }) {
  const t = useTranslations("outbox");
  return (
    <div className="grid gap-6">
      <section aria-labelledby="as-html" className="grid gap-3">
        <h2 id="as-html" className="font-semibold text-xl">
          {t("asHtml")}
        </h2>
        {/* A document of its own, with a policy of its own: it may show its styles and open its links, and nothing else. */}
        <iframe
          src={`/dashboard/outbox/${mailId}/letter`}
          title={t("asHtml")}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="h-224 w-full rounded-lg border border-line bg-surface shadow-low sm:h-160"
        />
      </section>
      <section aria-labelledby="as-text" className="grid gap-3">
        <h2 id="as-text" className="font-semibold text-xl">
          {t("asText")}
        </h2>
        <pre dir="auto" className="whitespace-pre-wrap rounded-lg border border-line bg-sunken p-5 font-mono text-sm">
          {text}
        </pre>
      </section>
    </div>
  );
}
