import { ChevronRight, CircleAlert, CircleX } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Link } from "#components/ui/link";
import type { Attention } from "#server/attention";
import type { Check } from "#server/checks";
import { outboxAddress } from "./outbox/address.ts";

type AttentionListProps = { matters: Attention[]; checks: Check[] };

/** Whether something does not work that should: that is not to be looked for. */
export function isPressing({ matters, checks }: AttentionListProps): boolean {
  return matters.some(({ matter }) => isUrgent(matter)) || checks.some(({ state }) => state === "problem");
}

function isUrgent(matter: Attention["matter"]): boolean {
  return matter === "signupWithoutMail" || matter === "failedLetters";
}

/** What waits for the owner, each with the way to where it is dealt with; or that nothing does. */
export function AttentionList({ matters, checks }: AttentionListProps) {
  const t = useTranslations("dashboard.attention");
  const format = useFormatter();
  const tChecks = useTranslations("checks.names");
  const named = (state: Check["state"]) => checks.filter((check) => check.state === state).map(({ check }) => tChecks(check));
  const [problems, warnings] = [named("problem"), named("warning")];
  const hrefs: Record<Attention["matter"], string> = {
    signupWithoutMail: "#health",
    failedLetters: outboxAddress({ status: "FAILED" }),
    waitingLetters: outboxAddress({ status: "QUEUED" }),
  };
  const items = [
    problems.length > 0 && { isUrgent: true, href: "#health", text: t("problems", { count: problems.length, names: format.list(problems) }) },
    ...matters.map(({ matter, count }) => ({ isUrgent: isUrgent(matter), href: hrefs[matter], text: t(matter, { count }) })),
    warnings.length > 0 && { isUrgent: false, href: "#health", text: t("warnings", { count: warnings.length, names: format.list(warnings) }) },
  ].filter((item) => item !== false);
  if (items.length === 0) return <p className="text-muted">{t("nothing")}</p>;
  return (
    <ul className="-mx-2 grid gap-0.5">
      {items.map(({ isUrgent, href, text }) => (
        <li key={text}>
          <Link
            href={href}
            className="group grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-3 rounded-md px-2 py-2 hover:bg-sunken pointer-coarse:min-h-11"
          >
            {isUrgent ? (
              <CircleX aria-hidden="true" className="mt-0.5 size-5 text-danger-ink" />
            ) : (
              <CircleAlert aria-hidden="true" className="mt-0.5 size-5 text-warning-ink" />
            )}
            <span>
              <span className="sr-only">{t(isUrgent ? "urgent" : "mild")} </span>
              <span className="underline-offset-4 group-hover:underline">{text}</span>
            </span>
            <ChevronRight aria-hidden="true" className="mirrored mt-1 size-4 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
