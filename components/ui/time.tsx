import { useFormatter } from "next-intl";

type TimeProps = {
  at: Date;
  /** Whether the time of day matters, as for a letter. */
  withTime?: boolean;
};

const DATE = { year: "numeric", month: "short", day: "numeric" } as const;
const DATE_AND_TIME = { ...DATE, hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const;

/** An instant, in words of the page's language and in a form that programs read. */
export function Time({ at, withTime = false }: TimeProps) {
  const format = useFormatter();
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap">
      {format.dateTime(at, withTime ? DATE_AND_TIME : DATE)}
    </time>
  );
}
