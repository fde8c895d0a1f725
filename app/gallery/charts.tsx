import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { DailyChart, Sparkline } from "#components/ui/chart";
import { Group } from "./group.tsx";

type Direction = "ltr" | "rtl";

const BARS = [3, 5, 2, 0, 8, 12, 7, 6, 9, 4, 1, 0, 5, 11];
const LINE = [1, 2, 2, 3, 2, 4, 6, 5, 3, 2, 2, 1, 4, 6];
const DATES = BARS.map((_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`);
/** So many that a bar is a week. */
const MANY_DATES = Array.from({ length: 90 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10));
const MANY = MANY_DATES.map((_, day) => BARS[day % BARS.length] ?? 0);
const NOTHING = BARS.map(() => 0);

/** What is drawn of figures: with some, and with none. */
export function ChartGroups({ direction }: { direction: Direction }) {
  return <Group id="charts">{() => <Charts direction={direction} />}</Group>;
}

function Charts({ direction }: { direction: Direction }) {
  const t = useTranslations("gallery");
  const [bars, line] = [t("bars"), t("line")];
  return (
    <>
      <Card>
        <DailyChart label={t("chart")} dates={DATES} bars={{ name: bars, counts: BARS }} line={{ name: line, counts: LINE }} direction={direction} />
      </Card>
      <Card>
        <DailyChart label={t("chart")} dates={DATES} bars={{ name: bars, counts: NOTHING }} line={{ name: line, counts: NOTHING }} direction={direction} />
      </Card>
      <Card>
        <DailyChart
          label={t("chart")}
          dates={MANY_DATES}
          bars={{ name: bars, counts: MANY }}
          line={{ name: line, counts: MANY.toReversed() }}
          direction={direction}
        />
      </Card>
      <Card>
        <Sparkline counts={BARS} direction={direction} />
      </Card>
    </>
  );
}
