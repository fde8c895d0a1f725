import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { DailyChart, Sparkline } from "#components/ui/chart";
import { FileLink, Link } from "#components/ui/link";
import { FigureTable } from "#components/ui/table";
import { daysPerBar } from "#lib/chart-spans";
import { lettersStayHere } from "#lib/mail";
import { type Figure, STATISTICS, type Statistic, type Statistics } from "#server/statistics";
import { outboxAddress } from "./outbox/address.ts";

type ActivityProps = { statistics: Statistics; direction: "ltr" | "rtl" };

/** What came of late: posts and people by day, and each figure beside the one before. */
export function Activity({ statistics, direction }: ActivityProps) {
  const t = useTranslations("dashboard.activity");
  const { dates, figures } = statistics;
  const days = dates.length;
  return (
    <div className="grid gap-4">
      <Card>
        <div className="grid gap-4">
          <Legend days={days} />
          <DailyChart
            label={t("chart", { days, posts: figures.posts.total, people: figures.people.total })}
            dates={dates}
            bars={{ name: t("posts"), counts: figures.posts.counts }}
            line={{ name: t("people"), counts: figures.people.counts }}
            direction={direction}
          />
          <DayTable statistics={statistics} />
        </div>
      </Card>
      <ul className="grid grid-cols-2 gap-4 xl:grid-cols-4">
        {STATISTICS.map((statistic) => (
          <FigureCard key={statistic} statistic={statistic} figure={figures[statistic]} direction={direction} />
        ))}
      </ul>
    </div>
  );
}

function Legend({ days }: { days: number }) {
  const t = useTranslations("dashboard.activity");
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <span className="inline-flex items-center gap-2">
        <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3">
          <rect x="1" width="10" height="12" rx="1" className="fill-accent-ink" fillOpacity="0.7" />
        </svg>
        {t("posts")}
      </span>
      <span className="inline-flex items-center gap-2">
        <svg aria-hidden="true" viewBox="0 0 16 12" className="h-3 w-4">
          <path d="M1 6h14" strokeWidth="2" strokeLinecap="round" className="stroke-ink" />
        </svg>
        {t("people")}
      </span>
      {daysPerBar(days) > 1 && <span className="text-muted">{t("byWeek")}</span>}
    </p>
  );
}

/** Where what is counted is listed. */
const LISTS: Record<Statistic | "lettersKept", string> = {
  posts: "/",
  people: "/dashboard/users",
  boards: "/dashboard/boards",
  letters: outboxAddress({ status: "SENT" }),
  lettersKept: outboxAddress({ status: "KEPT" }),
};

type FigureCardProps = { statistic: Statistic; figure: Figure; direction: "ltr" | "rtl" };

function FigureCard({ statistic, figure, direction }: FigureCardProps) {
  const t = useTranslations("dashboard.activity");
  const format = useFormatter();
  return (
    <li className="relative grid content-between gap-3 overflow-hidden rounded-lg border border-line bg-surface shadow-low hover:border-line-strong">
      <div className="grid gap-0.5 px-4 pt-4 last:pb-4 sm:px-5">
        <h3 className="text-sm">
          <Link
            href={LISTS[nameOf(statistic)]}
            className="text-muted after:absolute after:inset-0 after:rounded-lg hover:text-ink hover:underline hover:underline-offset-4"
          >
            {t(nameOf(statistic))}
          </Link>
        </h3>
        <p className="font-semibold text-2xl tabular-nums">{format.number(figure.total)}</p>
        <Change {...figure} isMoreGood={statistic !== "letters"} />
      </div>
      <Sparkline counts={figure.counts} direction={direction} />
    </li>
  );
}

/** The text that says what is counted: of emails, whether they went out or stay here. */
function nameOf(statistic: Statistic): Statistic | "lettersKept" {
  return statistic === "letters" && lettersStayHere() ? "lettersKept" : statistic;
}

/** Against as many days before: sign and number say it, the color only underlines, where more is good news. Beside nothing there is no way up. */
function Change({ total, before, isMoreGood }: Figure & { isMoreGood: boolean }) {
  const t = useTranslations("dashboard.activity.change");
  const format = useFormatter();
  if (before === null) return <p className="text-muted text-xs">{t("unknown")}</p>;
  const direction = total > before ? "up" : total < before ? "down" : "same";
  const Icon = { up: TrendingUp, down: TrendingDown, same: Minus }[direction];
  return (
    <p className="text-muted text-xs tabular-nums">
      {before > 0 && (
        <span
          className={`me-1.5 inline-flex items-center gap-1 align-middle font-medium ${isMoreGood && direction === "up" ? "text-success-ink" : "text-ink"}`}
        >
          <Icon aria-hidden="true" className="mirrored size-3.5" />
          {direction !== "same" && <bdi>{format.number(total / before - 1, PERCENT)}</bdi>}
        </span>
      )}
      {t(direction === "same" ? "same" : "from", { before })}
    </p>
  );
}

const PERCENT = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
const DATE = { day: "numeric", month: "short", timeZone: "UTC" } as const;

/** Every figure of every chart, for who would rather read. */
function DayTable({ statistics: { dates, figures } }: { statistics: Statistics }) {
  const t = useTranslations("dashboard.activity");
  const format = useFormatter();
  return (
    <details className="group text-sm">
      <summary className="-mx-2 inline-flex min-h-8 items-center rounded-md px-2 text-muted underline underline-offset-4 hover:text-ink pointer-coarse:min-h-11">
        <span className="group-open:hidden">{t("asTable")}</span>
        <span className="hidden group-open:inline">{t("hideTable")}</span>
      </summary>
      <div className="mt-3 grid gap-3">
        <FigureTable
          caption={t("tableCaption")}
          head={[t("day"), ...STATISTICS.map((statistic) => t(nameOf(statistic)))]}
          rows={dates
            .map((date, day) => ({
              name: format.dateTime(new Date(date), DATE),
              figures: STATISTICS.map((statistic) => format.number(figures[statistic].counts[day] ?? 0)),
            }))
            .toReversed()}
        />
        <div>
          <FileLink href={`/dashboard/activity.csv?days=${dates.length}`} kind="secondary">
            {t("asCsv")}
          </FileLink>
        </div>
      </div>
    </details>
  );
}
