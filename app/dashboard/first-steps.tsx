import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { Form } from "#components/ui/form";
import { Link } from "#components/ui/link";
import { SubmitButton } from "#components/ui/submit-button";
import { FIRST_STEPS, type FirstStep } from "#server/first-steps";
import { putAway } from "./actions.ts";

type FirstStepsProps = {
  steps: Record<FirstStep, boolean>;
  /** Where the owner finds the letter that confirms their address. */
  addressHref: string;
};

/** What a new site still needs, each with the way to where it is done. */
export function FirstSteps({ steps, addressHref }: FirstStepsProps) {
  const t = useTranslations("dashboard.firstSteps");
  const hrefs = { board: "/dashboard/boards/new", description: "/dashboard/settings", address: addressHref, mail: "#health", people: "/" };
  const doneCount = FIRST_STEPS.filter((step) => steps[step]).length;
  return (
    <section aria-labelledby="first-steps">
      <Card>
        <div className="grid gap-5">
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <div className="grid gap-1">
              <h2 id="first-steps" className="font-semibold text-xl">
                {t("title")}
              </h2>
              <p className="flex items-center gap-3 text-muted text-sm">
                <Progress done={doneCount} />
                {t("progress", { done: doneCount, total: FIRST_STEPS.length })}
              </p>
            </div>
            <Form action={putAway} className="grid gap-3 max-sm:-ms-4 sm:-me-4">
              <SubmitButton kind="quiet">{t("putAway")}</SubmitButton>
            </Form>
          </div>
          <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            {FIRST_STEPS.map((step) => (
              <Step key={step} step={step} isDone={steps[step]} href={hrefs[step]} />
            ))}
          </ol>
        </div>
      </Card>
    </section>
  );
}

function Step({ step, isDone, href }: { step: FirstStep; isDone: boolean; href: string }) {
  const t = useTranslations("dashboard.firstSteps");
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden="true"
        className={`mt-0.5 inline-flex size-5 items-center justify-center rounded-full ${isDone ? "bg-accent text-on-accent" : "border-2 border-line-strong"}`}
      >
        {isDone && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      <div className="grid content-start gap-0.5">
        <p className={isDone ? "text-muted" : "font-medium"}>
          {t(`steps.${step}.title`)}
          <span className="sr-only"> {t(isDone ? "done" : "open")}</span>
        </p>
        {!isDone && (
          <p className="text-muted text-sm">
            {t(`steps.${step}.text`)}{" "}
            <Link href={href} className="whitespace-nowrap py-1 font-medium text-accent-ink underline underline-offset-4 hover:decoration-2">
              {t(`steps.${step}.link`)}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}

/** A piece for each step; the words beside it say the same. */
function Progress({ done }: { done: number }) {
  return (
    <span aria-hidden="true" className="inline-flex w-28 gap-1">
      {FIRST_STEPS.map((step, index) => (
        <span key={step} className={`h-1.5 grow rounded-full ${index < done ? "bg-accent" : "bg-line"}`} />
      ))}
    </span>
  );
}
