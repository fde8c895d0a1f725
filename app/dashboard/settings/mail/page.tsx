import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { CheckList } from "#components/check-list";
import { EmailAddress } from "#components/email-address";
import { NamedCode } from "#components/named-code";
import { Badge } from "#components/ui/badge";
import { Code } from "#components/ui/code";
import { type Fact, FactList } from "#components/ui/fact-list";
import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { describeMail, type MailSetup } from "#server/settings/mail";
import { page, titledForTeam } from "../../../pages.tsx";
import { queryOf, type SearchParams } from "../../../urls.ts";
import { currentVisit, requirePermission } from "../../../visit.ts";
import { AttentionList } from "../../attention.tsx";
import { tryMail } from "../actions.ts";
import { Panel, SettingsPage } from "../settings-page.tsx";

const TONES: Record<MailSetup["kind"], ComponentProps<typeof Badge>["tone"]> = { smtp: "success", resend: "success", outbox: "warning", none: "danger" };
/** The lines that switch each way on. */
const WAYS = {
  smtp: "SMTP_URL=smtp://user:password@mail.example.com:587",
  resend: "RESEND_API_KEY=re_your_key",
  sender: "MAIL_FROM=Feedback <noreply@example.com>",
  outbox: "MAIL=outbox",
} as const;

export const generateMetadata = titledForTeam("settings.pageTitles", "mail");

/** How letters leave the site, and whether they do. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const viewer = await requirePermission("settings:update", "/dashboard/settings/mail");
  const [mail, { notice }] = await Promise.all([describeMail(viewer, await currentVisit()), queryOf(searchParams)]);
  return (
    <SettingsPage section="mail" notice={notice}>
      <MailPanel mail={mail} />
      {mail.kind !== "none" && <TestPanel address={mail.ownAddress} staysHere={mail.kind === "outbox"} />}
      <WaysPanel />
    </SettingsPage>
  );
});

function MailPanel({ mail: { kind, server, sender, failures } }: { mail: MailSetup }) {
  const t = useTranslations("settings.mail");
  const isFailing = failures.matters.length + failures.checks.length > 0;
  const facts: Fact[] = [
    ...(server
      ? [{ name: t("facts.server"), value: <FromEnvironment value={<bdi>{server}</bdi>} variable={kind === "smtp" ? "SMTP_URL" : "RESEND_API_KEY"} /> }]
      : []),
    { name: t("facts.sender"), value: <FromEnvironment value={<Sender {...sender} />} variable="MAIL_FROM" /> },
  ];
  return (
    <Panel title={t(`state.${kind}`)} intro={t("intro")}>
      <p>
        {isFailing ? (
          <Badge tone="warning">{t("badge.failing")}</Badge>
        ) : (
          <Badge tone={TONES[kind]}>{t(kind === "smtp" || kind === "resend" ? "badge.on" : `badge.${kind}`)}</Badge>
        )}
      </p>
      {failures.matters.length > 0 && <AttentionList matters={failures.matters} checks={[]} />}
      {failures.checks.length > 0 && <CheckList checks={failures.checks} />}
      <FactList facts={facts} />
      <p className="max-w-2xl text-muted text-sm">{t.rich("managed", { code: (text) => <Code>{text}</Code> })}</p>
    </Panel>
  );
}

/** A value that cannot be changed here, and the variable that it comes from. */
function FromEnvironment({ value, variable }: { value: ReactNode; variable: string }) {
  const t = useTranslations("settings.mail.facts");
  return (
    <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <span className="min-w-0">{value}</span>
      <span className="text-muted text-sm">{t.rich("setWith", { variable: () => <Code>{variable}</Code> })}</span>
    </span>
  );
}

function Sender({ name, address }: MailSetup["sender"]) {
  return (
    <bdi>
      {name} <EmailAddress address={`<${address}>`} />
    </bdi>
  );
}

function TestPanel({ address, staysHere }: { address: string; staysHere: boolean }) {
  const t = useTranslations("settings.mail.test");
  return (
    <Panel
      title={t("title")}
      intro={t.rich(staysHere ? "kept" : "text", { address: () => <EmailAddress address={address} className="font-medium text-ink" /> })}
    >
      <Form action={tryMail}>
        <div>
          <SubmitButton kind="secondary">{t(staysHere ? "submitKept" : "submit")}</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

function WaysPanel() {
  const t = useTranslations("settings.mail.ways");
  return (
    <Panel title={t("title")}>
      <ul className="grid gap-4">
        {(["smtp", "resend", "sender", "outbox"] as const).map((way) => (
          <li key={way} className="grid gap-1.5">
            <p className="text-sm">{t(way)}</p>
            <NamedCode code={WAYS[way]} name={t(way)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
