import { useTranslations } from "next-intl";
import { Avatar } from "#components/avatar";
import { BoardCard } from "#components/board-card";
import { BoardTile } from "#components/board-tile";
import { Badge } from "#components/ui/badge";
import { Card, ListCard } from "#components/ui/card";
import { Code } from "#components/ui/code";
import { CodeBlock } from "#components/ui/code-block";
import { EmptyState } from "#components/ui/empty-state";
import { FactList } from "#components/ui/fact-list";
import { Key } from "#components/ui/key";
import { ButtonLink } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { Outcome } from "#components/ui/outcome";
import { Skeleton } from "#components/ui/skeleton";
import { FigureTable, Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { Age, Time } from "#components/ui/time";
import { COLORS } from "#lib/colors";
import type { OwnUser } from "#server/users";
import { OnDemand } from "./alive.tsx";
import { Group, Row } from "./group.tsx";

const TONES = ["neutral", "success", "warning", "danger"] as const;
const AVATAR_SIZES = ["medium", "large"] as const;
const TILE_SIZES = ["small", "medium", "large"] as const;
const HOUR_MS = 3_600_000;
const A_SETTING = "DATABASE_URL";
const A_KEY = "G";
const AGES_IN_HOURS = [0, 3, 50, 1000];

/** Everything that is only read. `person` is whose picture stands for all. */
export function ShowingGroups({ person }: { person: OwnUser | null }) {
  return (
    <>
      <Group id="badges">{() => <Badges person={person} />}</Group>
      <Group id="cards">{() => <Cards />}</Group>
      <Group id="table">{() => <Rows />}</Group>
      <Group id="facts">{() => <FactsAndCode />}</Group>
      <Group id="messages">{() => <Messages />}</Group>
      <Group id="empty">{() => <Empty />}</Group>
    </>
  );
}

function Badges({ person }: { person: OwnUser | null }) {
  const t = useTranslations("gallery");
  return (
    <>
      <Row>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {t(`tones.${tone}`)}
          </Badge>
        ))}
      </Row>
      <Row>
        {person && AVATAR_SIZES.map((size) => <Avatar key={size} person={person} size={size} />)}
        {TILE_SIZES.map((size) => (
          <BoardTile key={size} name={size} color={COLORS[0]} size={size} />
        ))}
        {TILE_SIZES.map((size) => (
          <BoardTile key={size} name={`💡 ${size}`} color={COLORS[4]} size={size} />
        ))}
      </Row>
      <Row>
        {AGES_IN_HOURS.map((hours) => (
          <Age key={hours} at={new Date(Date.now() - hours * HOUR_MS)} />
        ))}
      </Row>
      <p>
        <Time at={new Date()} withTime />
      </p>
    </>
  );
}

function Cards() {
  const t = useTranslations("gallery");
  const heading = <h3 className="font-semibold text-lg">{t("heading")}</h3>;
  return (
    <>
      <Card>
        {heading}
        <p>{t("text")}</p>
      </Card>
      <ListCard>
        {[1, 2, 3].map((number) => (
          <li key={number} className="px-5 py-3">
            {t("option", { number })}
          </li>
        ))}
      </ListCard>
      <BoardCard
        name={`💡 ${t("heading")}`}
        color={COLORS[1]}
        description={t("text")}
        heading={heading}
        badge={<Badge>{t("tones.neutral")}</Badge>}
        facts={<Age at={new Date()} />}
      />
    </>
  );
}

function Rows() {
  const t = useTranslations("gallery");
  const head = [1, 2, 3].map((number) => t("option", { number }));
  return (
    <>
      <Table caption={t("groups.table")} head={head}>
        {TONES.map((tone) => (
          <TableRow key={tone}>
            <TableHead>{t("heading")}</TableHead>
            <TableCell name={head[1] ?? ""}>
              <Badge tone={tone}>{t(`tones.${tone}`)}</Badge>
            </TableCell>
            <TableCell name={head[2] ?? ""}>
              <Time at={new Date()} />
            </TableCell>
          </TableRow>
        ))}
      </Table>
      <Card>
        <FigureTable
          caption={t("groups.table")}
          head={head}
          rows={["1", "22", "333"].map((figure) => ({ name: `${t("heading")} ${figure}`, figures: [figure, figure] }))}
        />
      </Card>
    </>
  );
}

function FactsAndCode() {
  const t = useTranslations("gallery");
  const facts = [1, 2, 3].map((number) => ({ name: t("option", { number }), value: t("text") }));
  return (
    <>
      <FactList facts={facts} />
      <FactList facts={facts} layout="columns" />
      <p>
        {t("text")} <Code>{A_SETTING}</Code> <Key>{A_KEY}</Key>
      </p>
      <CodeBlock code="npm start" copy={{ label: t("copy"), done: t("copied") }} />
      <CodeBlock
        code={"curl https://feedback.example.com/api/v1/boards \\\n  --header 'accept: application/json'"}
        copy={{ label: t("copy"), done: t("copied") }}
      />
    </>
  );
}

function Messages() {
  const t = useTranslations("gallery");
  return (
    <>
      {TONES.map((tone) => (
        <Notice key={tone} tone={tone}>
          {t("text")}
        </Notice>
      ))}
      <div>
        <OnDemand show={t("show")}>
          <Outcome>{t("text")}</Outcome>
        </OnDemand>
      </div>
    </>
  );
}

function Empty() {
  const t = useTranslations("gallery");
  return (
    <>
      <EmptyState title={t("heading")} text={t("text")}>
        <ButtonLink href="/gallery">{t("action")}</ButtonLink>
      </EmptyState>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-20" />
    </>
  );
}
