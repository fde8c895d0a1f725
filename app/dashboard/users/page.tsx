import { ChevronRight } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Avatar } from "#components/avatar";
import { EmailAddress } from "#components/email-address";
import { PersonStatus, RoleBadge } from "#components/person-badges";
import { EmptyState } from "#components/ui/empty-state";
import { ButtonLink, FileLink, Link } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { Pagination } from "#components/ui/pagination";
import { SearchBox } from "#components/ui/search-box";
import { Segments } from "#components/ui/segments";
import { type Column, Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { Age, Time } from "#components/ui/time";
import { listPeople, PEOPLE, type PeoplePage, type Person, peopleQuery } from "#server/people";
import { page, titledForTeam } from "../../pages.tsx";
import { queryOf, readableBy, type SearchParams, withQuery } from "../../urls.ts";
import { requirePermission } from "../../visit.ts";

const PATH = "/dashboard/users";

type Query = { q: string; show: (typeof PEOPLE)[number]; after?: string };

export const generateMetadata = titledForTeam("people");

/** Everybody with an account, who came last first. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const asked = await queryOf(searchParams);
  const viewer = await requirePermission("user:read", PATH, asked);
  const query = peopleQuery.parse(readableBy(peopleQuery, asked));
  const { people, next, counts } = await listPeople(viewer, query);
  const [t, tPages] = await Promise.all([getTranslations("people"), getTranslations("pages")]);
  return (
    <>
      <PageHeader title={t("title")} intro={t("intro")}>
        {people.length > 0 && (
          <FileLink href={tableOf(query)} kind="secondary">
            {t("asCsv")}
          </FileLink>
        )}
      </PageHeader>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <PeopleSearch query={query} />
        <Filters query={query} counts={counts} />
      </div>
      {people.length > 0 ? <PeopleTable people={people} /> : <Nobody query={query} foundCount={counts.all} />}
      <Pagination
        label={tPages("label")}
        previous={query.after ? { href: addressOf({ ...query, after: undefined }), text: t("newest"), isStart: true } : null}
        next={next ? { href: addressOf({ ...query, after: next }), text: t("older") } : null}
      />
    </>
  );
});

function addressOf(query: Query): string {
  return withQuery(PATH, { ...chosenIn(query), after: query.after });
}

/** Where all of the people are whom the page shows some of. */
function tableOf(query: Query): string {
  return withQuery("/dashboard/people.csv", chosenIn(query));
}

function chosenIn({ q, show }: Query) {
  return { q: q || undefined, show: show === "all" ? undefined : show };
}

function PeopleSearch({ query: { q, show } }: { query: Query }) {
  const t = useTranslations("people.search");
  const words = { label: t("label"), placeholder: t("label"), submit: t("submit") };
  return (
    <div className="flex min-w-0 grow sm:max-w-md">
      <SearchBox action={PATH} q={q} keep={show === "all" ? {} : { show }} words={words} />
    </div>
  );
}

function Filters({ query, counts }: { query: Query; counts: PeoplePage["counts"] }) {
  const t = useTranslations("people.show");
  const format = useFormatter();
  const segments = PEOPLE.map((show) => ({
    href: addressOf({ q: query.q, show }),
    text: t(show),
    isCurrent: show === query.show,
    count: format.number(counts[show]),
  }));
  return <Segments label={t("label")} segments={segments} />;
}

function PeopleTable({ people }: { people: Person[] }) {
  const t = useTranslations("people");
  const columns = {
    status: { name: t("columns.status") },
    joined: { name: t("columns.joined") },
    seen: { name: t("columns.seen") },
    sessions: { name: t("columns.sessions"), isNumber: true, isSpare: true },
  };
  return (
    <Table caption={t("title")} head={[t("columns.person"), ...Object.values(columns)]}>
      {people.map((person) => (
        <PersonRow key={person.userId} person={person} columns={columns} />
      ))}
    </Table>
  );
}

function PersonRow({ person, columns }: { person: Person; columns: Record<"status" | "joined" | "seen" | "sessions", Column> }) {
  const t = useTranslations("people");
  const format = useFormatter();
  return (
    <TableRow>
      <TableHead isElastic>
        <span className="flex min-w-0 items-center gap-3">
          <Avatar person={person} />
          <span className="grid min-w-0">
            <span className="flex flex-wrap items-center gap-x-2">
              {/* On a card the link's area is the whole of it. */}
              <Link
                href={`/dashboard/users/${person.userId}`}
                className="inline-block min-w-6 font-medium underline-offset-4 hover:underline max-md:after:absolute max-md:after:inset-0 max-md:after:rounded-lg"
              >
                <bdi>{person.name}</bdi>
              </Link>
              <RoleBadge role={person.role} />
            </span>
            <EmailAddress address={person.email} className="text-muted text-sm" />
          </span>
          <ChevronRight aria-hidden="true" className="mirrored ms-auto size-4 shrink-0 text-muted md:hidden" />
        </span>
      </TableHead>
      <TableCell {...columns.status}>
        <PersonStatus {...person} />
      </TableCell>
      <TableCell {...columns.joined}>
        <Time at={person.createdAt} />
      </TableCell>
      <TableCell {...columns.seen}>{person.lastSeenAt ? <Age at={person.lastSeenAt} /> : <span className="text-muted">{t("notSeen")}</span>}</TableCell>
      <TableCell {...columns.sessions}>
        <span className="tabular-nums">{format.number(person.sessionCount)}</span>
      </TableCell>
    </TableRow>
  );
}

/** Nothing found is not the same as nobody there. `foundCount`: whom the search finds, of whatever kind. */
function Nobody({ query: { q, show, after }, foundCount }: { query: Query; foundCount: number }) {
  const t = useTranslations("people.empty");
  const everybody = (
    <ButtonLink href={PATH} kind="secondary">
      {t("everybody")}
    </ButtonLink>
  );
  if (after) {
    return (
      <EmptyState title={t("endTitle")} text={t("endText")}>
        {everybody}
      </EmptyState>
    );
  }
  if (q && show !== "all" && foundCount > 0) return <NobodyAmongFound q={q} show={show} foundCount={foundCount} />;
  if (q) {
    return (
      <EmptyState title={t("foundTitle", { q })} text={t("foundText")}>
        {everybody}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t(`${show}Title`)} text={t(`${show}Text`)}>
      {show !== "all" && everybody}
    </EmptyState>
  );
}

type NobodyAmongFoundProps = { q: string; show: Exclude<Query["show"], "all">; foundCount: number };

/** Whom the search finds is not of the kind that is shown: there are people who match, and there may be others of that kind. */
function NobodyAmongFound({ q, show, foundCount }: NobodyAmongFoundProps) {
  const t = useTranslations("people.empty.found");
  return (
    <EmptyState title={t(`${show}Title`, { q })} text={t(`${show}Text`, { count: foundCount })}>
      <ButtonLink href={addressOf({ q, show: "all" })}>{t("all")}</ButtonLink>
      <ButtonLink href={addressOf({ q: "", show })} kind="secondary">
        {t("clear")}
      </ButtonLink>
    </EmptyState>
  );
}
