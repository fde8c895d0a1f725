import { CircleAlert, CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Check } from "#server/checks";
import { Code } from "./ui/code.tsx";
import { Age } from "./ui/time.tsx";

const LOOKS = {
  ok: { Icon: CircleCheck, ink: "text-success-ink" },
  pending: { Icon: CircleMinus, ink: "text-muted" },
  warning: { Icon: CircleAlert, ink: "text-warning-ink" },
  problem: { Icon: CircleX, ink: "text-danger-ink" },
} as const;

/** What Heard stands on, each with how it is, in a word and a sentence, and with what mends it where something does. */
export function CheckList({ checks }: { checks: Check[] }) {
  return (
    <ul className="@container divide-y divide-line">
      {checks.map((check) => (
        <CheckItem key={check.check} {...check} />
      ))}
    </ul>
  );
}

function CheckItem({ check, state, finding, facts }: Check) {
  const { version = "", folder, freeMegabytes = 0, address, here, seconds = 0, letters = 0, error, at, file } = facts;
  const t = useTranslations("checks");
  const format = useFormatter();
  const { Icon, ink } = LOOKS[state];
  // What is no word of ours keeps its own direction; the rest is written as the page's language does.
  const values = {
    version,
    free: freeMegabytes < 1000 ? format.number(freeMegabytes, { style: "unit", unit: "megabyte" }) : format.number(freeMegabytes / 1000, GIGABYTES),
    seconds,
    letters,
    isTold: error ? "yes" : "no",
    error: () => <bdi className="break-words font-mono text-xs">{error}</bdi>,
    folder: () => <bdi className="break-all font-mono text-xs">{folder}</bdi>,
    address: () => <bdi className="break-all">{address}</bdi>,
    here: () => <bdi className="break-all">{here}</bdi>,
    time: () => at && <Age at={at} />,
    file: () => <bdi className="break-all font-mono text-xs">{file}</bdi>,
    code: (text: ReactNode) => <Code>{text}</Code>,
  };
  const fix = `fixes.${check}.${finding}` as const;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-3.5 first:pt-0 last:pb-0">
      <Icon aria-hidden="true" className={`mt-0.5 size-5 ${ink}`} />
      <div className="grid gap-x-6 gap-y-1 @2xl:grid-cols-[10rem_minmax(0,1fr)]">
        <p className="flex flex-wrap items-baseline gap-x-2 @2xl:grid @2xl:content-start">
          <span className="font-medium">{t(`names.${check}`)}</span>
          <span className={`font-medium text-xs ${ink}`}>{t(`states.${state}`)}</span>
        </p>
        <div className="grid content-start gap-1 text-sm">
          <p className="text-muted">{t.rich(`${check}.${finding}`, values)}</p>
          {state !== "ok" && t.has(fix) && <p>{t.rich(fix, values)}</p>}
        </div>
      </div>
    </li>
  );
}

const GIGABYTES = { style: "unit", unit: "gigabyte", maximumFractionDigits: 1 } as const;
