import { scaleBand, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { useFormatter } from "next-intl";
import { inSpans, type Series, type Span } from "#lib/chart-spans";

type ChartProps = {
  /** What the chart shows, with what stands out in it: all that who cannot see it hears. */
  label: string;
  /** The days as `YYYY-MM-DD`, the oldest first. */
  dates: string[];
  /** Drawn as bars, and as a line over them: told apart by shape, not by color alone. */
  bars: Series;
  line: Series;
  /** Time runs as the page is read. */
  direction: "ltr" | "rtl";
};

/** Days on which something came, below which a sparkline says nothing. */
const LEAST_DRAWN = 3;
const TICKS = 4;
const LABELS = 7;
/** Between two bars, of the room that one has. */
const GAP = 0.34;
// The plot's own measure; it is stretched to whatever room there is, strokes and words are not.
const [WIDTH, HEIGHT] = [1000, 100];

/** What came per day, or per week of many, of two kinds. Drawn on the server: what the page's policy allows of styles is classes and the attributes of SVG. */
export function DailyChart({ label, dates, bars: barsByDay, line: lineByDay, direction }: ChartProps) {
  const format = useFormatter();
  const { spans, series } = inSpans(dates, [barsByDay, lineByDay] as const);
  const [bars, over] = series;
  const y = scaleLinear([0, Math.max(TICKS, ...bars.counts, ...over.counts)], [HEIGHT, 0]).nice(TICKS);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  return (
    <div role="img" aria-label={label} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <ol aria-hidden="true" className="flex h-52 flex-col-reverse justify-between text-end text-muted text-xs tabular-nums">
        {ticks.map((tick) => (
          <li key={tick} className="-my-2.5">
            {format.number(tick, { notation: "compact" })}
          </li>
        ))}
      </ol>
      <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" overflow="visible" className="h-52 w-full">
        {ticks.map((tick) => (
          <line key={tick} x1="0" x2={WIDTH} y1={y(tick)} y2={y(tick)} vectorEffect="non-scaling-stroke" className="stroke-line" />
        ))}
        <Bars series={bars} y={y} direction={direction} />
        <Line series={over} y={y} direction={direction} />
        <Hints spans={spans} series={series} direction={direction} />
      </svg>
      <DateLabels dates={spans.map(({ to }) => to)} direction={direction} />
    </div>
  );
}

type Scale = (count: number) => number;
type PartProps = { series: Series; y: Scale; direction: "ltr" | "rtl" };

function Bars({ series: { counts }, y, direction }: PartProps) {
  // Half a gap outside: each bar stands where it does for the line.
  const x = placesScale(counts.length, direction)
    .paddingInner(GAP)
    .paddingOuter(GAP / 2);
  return counts.map(
    (count, place) =>
      count > 0 && (
        <rect
          key={xOf(x, place)}
          x={xOf(x, place)}
          width={x.bandwidth()}
          y={y(count)}
          height={HEIGHT - y(count)}
          className="fill-accent-ink"
          fillOpacity="0.7"
        />
      ),
  );
}

function Line({ series: { counts }, y, direction }: PartProps) {
  const x = placesScale(counts.length, direction);
  const path = line<number>((_, place) => xOf(x, place) + x.bandwidth() / 2, y)(counts) ?? "";
  return <path d={path} fill="none" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" vectorEffect="non-scaling-stroke" className="stroke-ink" />;
}

/** What a pointer is told that rests on a bar's place. */
function Hints({ spans, series, direction }: { spans: Span[]; series: readonly Series[]; direction: "ltr" | "rtl" }) {
  const format = useFormatter();
  const x = placesScale(spans.length, direction);
  const named = ({ from, to }: Span) =>
    from === to ? format.dateTime(new Date(to), LONG_DATE) : format.dateTimeRange(new Date(from), new Date(to), SHORT_DATE);
  return spans.map((span, place) => (
    <rect key={span.to} x={xOf(x, place)} width={x.step()} height={HEIGHT} className="fill-transparent hover:fill-ink/5">
      <title>{[named(span), ...series.map(({ name, counts }) => `${name}: ${format.number(counts[place] ?? 0)}`)].join("\n")}</title>
    </rect>
  ));
}

/** A few dates below their bars, the newest always among them; fewer where there is little room. */
function DateLabels({ dates, direction }: { dates: string[]; direction: "ltr" | "rtl" }) {
  const format = useFormatter();
  const step = Math.ceil(dates.length / LABELS);
  const x = placesScale(dates.length, direction);
  return (
    <svg aria-hidden="true" overflow="visible" className="col-start-2 mt-2 h-5 w-full">
      {dates.map((date, day) => {
        const stepsBack = (dates.length - 1 - day) / step;
        if (!Number.isInteger(stepsBack)) return null;
        // The last one ends where the days end, for its words may be wider than its day.
        const isLast = stepsBack === 0 && dates.length > LABELS;
        const end = direction === "rtl" ? 0 : WIDTH;
        const place = `${((isLast ? end : xOf(x, day) + x.bandwidth() / 2) / WIDTH) * 100}%`;
        return (
          <text
            key={date}
            x={place}
            y="14"
            textAnchor={isLast ? "end" : "middle"}
            className={`fill-muted text-xs ${stepsBack % 2 === 1 ? "max-sm:hidden" : ""}`}
          >
            {format.dateTime(new Date(date), dates.length > 7 ? SHORT_DATE : WEEKDAY)}
          </text>
        );
      })}
    </svg>
  );
}

/** The same in small, without words: says nothing that the figure above it does not. Nothing where there is little to draw: a line along the edge of the card, and a tooth on it, would look like a mark. */
export function Sparkline({ counts, direction }: { counts: number[]; direction: "ltr" | "rtl" }) {
  if (counts.filter((count) => count > 0).length < LEAST_DRAWN) return null;
  const y = scaleLinear([0, Math.max(...counts)], [HEIGHT - 4, 4]);
  const x = scaleLinear([0, Math.max(1, counts.length - 1)], direction === "rtl" ? [WIDTH, 0] : [0, WIDTH]);
  const place = (_: number, day: number) => x(day);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-10 w-full text-accent-ink">
      <path d={area<number>(place, HEIGHT, y)(counts) ?? ""} fill="currentColor" fillOpacity="0.12" />
      <path
        d={line<number>(place, y)(counts) ?? ""}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

// The dates are days already, not instants: they are written as they are.
const SHORT_DATE = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const LONG_DATE = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
const WEEKDAY = { weekday: "short", timeZone: "UTC" } as const;

function placesScale(count: number, direction: "ltr" | "rtl") {
  return scaleBand(
    Array.from({ length: count }, (_, place) => place),
    direction === "rtl" ? [WIDTH, 0] : [0, WIDTH],
  );
}

function xOf(x: ReturnType<typeof placesScale>, place: number): number {
  return x(place) ?? 0;
}
