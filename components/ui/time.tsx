import { useFormatter, useLocale } from "next-intl";
import { RelativeTime } from "./relative-time.tsx";

type TimeProps = {
  at: Date;
  /** Whether the time of day matters, as for a letter. */
  withTime?: boolean;
};

const DATE = { year: "numeric", month: "short", day: "numeric" } as const;
const DATE_AND_TIME = { ...DATE, hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;

/** An instant, in words of the page's language and in a form that programs read. */
export function Time({ at, withTime = false }: TimeProps) {
  const format = useFormatter();
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap">
      {format.dateTime(at, withTime ? DATE_AND_TIME : DATE)}
    </time>
  );
}

/** How long ago an instant was, up to a week; then, and without JavaScript, its date. The whole of it shows on pointing. */
export function Age({ at }: { at: Date }) {
  const format = useFormatter();
  return <RelativeTime at={at.toISOString()} date={format.dateTime(at, DATE)} whole={format.dateTime(at, DATE_AND_TIME)} locale={useLocale()} />;
}
