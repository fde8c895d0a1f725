import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { cache, type ReactNode } from "react";
import { Avatar } from "#components/avatar";
import { EmailAddress } from "#components/email-address";
import { PersonStatus, RoleBadge } from "#components/person-badges";
import { Card } from "#components/ui/card";
import { FactList } from "#components/ui/fact-list";
import { Form } from "#components/ui/form";
import { StandaloneLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { Age, Time } from "#components/ui/time";
import { getPerson, type PersonInFull } from "#server/people";
import { page, teamMetadata } from "../../../pages.tsx";
import { queryOf, type SearchParams } from "../../../urls.ts";
import { currentViewer, requirePermission } from "../../../visit.ts";
import { DangerCard } from "../../danger-card.tsx";
import { DoneNotice } from "../../done-notice.tsx";
import { mailsTo } from "../../outbox/address.ts";
import { block, unblock } from "../actions.ts";
import { Sessions } from "../sessions.tsx";

type PersonPageProps = { params: Promise<{ userId: string }>; searchParams: SearchParams };

const personOf = cache(async (userId: string) => getPerson(await currentViewer(), userId));

export const generateMetadata = teamMetadata(async ({ params }: PersonPageProps) => ({ title: (await personOf((await params).userId)).name }));

/** One person: who they are, where they are signed in, and whether they may. */
export default page(async ({ params, searchParams }: PersonPageProps) => {
  const { userId } = await params;
  await requirePermission("user:read", `/dashboard/users/${userId}`);
  const [person, { notice }] = await Promise.all([personOf(userId), queryOf(searchParams)]);
  const [t, tSite] = await Promise.all([getTranslations("people"), getTranslations("site")]);
  return (
    <>
      <PageHeader
        sign={<Avatar person={person} size="large" />}
        title={<bdi>{person.name}</bdi>}
        intro={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0">
              <EmailAddress address={person.email} />
            </span>
            <RoleBadge role={person.role} />
            {(person.blockedAt || !person.verifiedAt) && <PersonStatus {...person} />}
          </span>
        }
        crumbs={[{ href: "/dashboard/users", text: t("title") }]}
        crumbsLabel={tSite("breadcrumbs")}
      />
      <DoneNotice page="people" notice={notice} />
      <PersonFacts person={person} />
      <Sessions person={person} />
      <Access person={person} />
    </>
  );
});

function PersonFacts({ person }: { person: PersonInFull }) {
  const t = useTranslations("people");
  const format = useFormatter();
  const { verifiedAt } = person;
  return (
    <Card>
      <FactList
        layout="columns"
        facts={[
          ...(verifiedAt ? [{ name: t("facts.address"), value: t.rich("facts.confirmed", { time: () => <Time at={verifiedAt} /> }) }] : []),
          { name: t("facts.username"), value: <bdi>{person.username}</bdi> },
          { name: t("facts.role"), value: t(`roles.${person.role}`) },
          { name: t("columns.joined"), value: <Time at={person.createdAt} /> },
          { name: t("columns.seen"), value: person.lastSeenAt ? <Age at={person.lastSeenAt} /> : t("notSeen") },
          { name: t("facts.posts"), value: format.number(person.postCount) },
          { name: t("facts.emails"), value: <EmailsTo address={person.email} /> },
        ]}
      />
    </Card>
  );
}

function EmailsTo({ address }: { address: string }) {
  const t = useTranslations("people.facts");
  return (
    <StandaloneLink href={mailsTo(address)} className="-my-1">
      {t("emailsTo")}
    </StandaloneLink>
  );
}

/** Blocking and its undoing, each with what it means. */
function Access({ person }: { person: PersonInFull }) {
  const t = useTranslations("people.access");
  const { userId, name, blockedAt, isViewer } = person;
  if (isViewer) return <AccessCard text={t("own")} />;
  if (blockedAt) {
    return (
      <AccessCard text={t.rich("blockedText", { time: () => <Time at={blockedAt} withTime /> })}>
        <Form action={unblock} className="grid gap-3">
          <input type="hidden" name="userId" value={userId} />
          <SubmitButton kind="secondary" label={t("unblockNamed", { name })}>
            {t("unblock")}
          </SubmitButton>
        </Form>
      </AccessCard>
    );
  }
  return (
    <AccessCard text={t("blockText")}>
      <Form action={block} className="grid gap-3">
        <input type="hidden" name="userId" value={userId} />
        <SubmitButton kind="outlined-danger" label={t("blockNamed", { name })}>
          {t("block")}
        </SubmitButton>
      </Form>
    </AccessCard>
  );
}

function AccessCard({ text, children }: { text: ReactNode; children?: ReactNode }) {
  const t = useTranslations("people.access");
  return (
    <DangerCard id="access" title={t("title")} text={text}>
      {children}
    </DangerCard>
  );
}
