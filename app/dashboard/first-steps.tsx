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
  const hrefs = { board: "/dashboard/boards/new", description: "/dashboard/settings", address: addressHref, mail: "/dashboard/settings/mail", people: "/" };
  const doneCount = FIRST_STEPS.filter((step) => steps[step]).length;
  // What is left to do comes first.
  const ordered = FIRST_STEPS.toSorted((one, other) => Number(steps[one]) - Number(steps[other]));
  return (
    <section aria-labelledby="first-steps">
      <Card>
        <div className="grid gap-5">
          <div className="flex items-start justify-between gap-x-4">
            <div className="grid min-w-0 gap-1">
              <h2 id="first-steps" className="font-semibold text-xl">
                {t("title")}
              </h2>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
                <Progress done={doneCount} />
                {t("progress", { done: doneCount, total: FIRST_STEPS.length })}
              </p>
            </div>
            <Form action={putAway} className="-mt-1.5 -me-4 grid shrink-0 gap-3">
              <SubmitButton kind="quiet">{t("putAway")}</SubmitButton>
            </Form>
          </div>
          <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            {ordered.map((step) => (
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
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 sm:odd:last:col-span-2">
      <span
        aria-hidden="true"
        className={`mt-0.5 inline-flex size-5 items-center justify-center rounded-full ${isDone ? "bg-accent text-on-accent" : "border-2 border-line-strong"}`}
      >
        {isDone && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      <div className="grid content-start justify-items-start gap-0.5">
        <p className={isDone ? "text-muted" : "font-medium"}>
          {t(`steps.${step}.title`)}
          <span className="sr-only"> {t(isDone ? "done" : "open")}</span>
        </p>
        {!isDone && (
          <>
            <p className="text-muted text-sm">{t(`steps.${step}.text`)}</p>
            <Link
              href={href}
              className="inline-flex min-h-7 items-center font-medium text-accent-ink text-sm underline underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
            >
              {t(`steps.${step}.link`)}
            </Link>
          </>
        )}
      </div>
    </li>
  );
}

/** A piece for each step; the words beside it say the same. */
function Progress({ done }: { done: number }) {
  return (
    <span aria-hidden="true" className="inline-flex w-16 gap-1 sm:w-28">
      {FIRST_STEPS.map((step, index) => (
        <span key={step} className={`h-1.5 grow rounded-full ${index < done ? "bg-accent-ink" : "bg-line"}`} />
      ))}
    </span>
  );
}
