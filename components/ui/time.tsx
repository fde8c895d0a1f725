import { useFormatter } from "next-intl";

type TimeProps = {
  at: Date;
  /** Whether the time of day matters, as for a letter. */
  withTime?: boolean;
};

/** An instant, in words of the page's language and in a form that programs read. */
export function Time({ at, withTime = false }: TimeProps) {
  const format = useFormatter();
  const text = format.dateTime(at, withTime ? { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } : { dateStyle: "medium" });
  return (
    <time dateTime={at.toISOString()} className="whitespace-nowrap">
      {withTime ? `${text} UTC` : text}
    </time>
  );
}
