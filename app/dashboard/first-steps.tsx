import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { CodeBlock } from "#components/ui/code-block";
import { Form } from "#components/ui/form";
import { Link } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { SubmitButton } from "#components/ui/submit-button";
import { isLoopback } from "#server/checks";
import { FIRST_STEPS, type FirstStep } from "#server/first-steps";
import { bringBack, putAway } from "./actions.ts";

type FirstStepsProps = {
  steps: Record<FirstStep, boolean>;
  /** Where the owner finds the letter that confirms their address. */
  addressHref: string;
  /** What the first person is invited by. */
  siteUrl: string;
};

/** What a new site still needs, each with the way to where it is done. */
export function FirstSteps({ steps, addressHref, siteUrl }: FirstStepsProps) {
  const t = useTranslations("dashboard.firstSteps");
  const ways: Record<FirstStep, ReactNode> = {
    board: <Way href="/dashboard/boards/new">{t("steps.board.link")}</Way>,
    description: <Way href="/dashboard/settings">{t("steps.description.link")}</Way>,
    address: <Way href={addressHref}>{t("steps.address.link")}</Way>,
    mail: <Way href="/dashboard/settings/mail">{t("steps.mail.link")}</Way>,
    people: <Invitation siteUrl={siteUrl} />,
  };
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
              <Step key={step} step={step} isDone={steps[step]} way={ways[step]} />
            ))}
          </ol>
        </div>
      </Card>
    </section>
  );
}

function Step({ step, isDone, way }: { step: FirstStep; isDone: boolean; way: ReactNode }) {
  const t = useTranslations("dashboard.firstSteps");
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 sm:odd:last:col-span-2">
      <span
        aria-hidden="true"
        className={`mt-0.5 inline-flex size-5 items-center justify-center rounded-full ${isDone ? "bg-accent text-on-accent" : "border-2 border-line-strong"}`}
      >
        {isDone && <Check className="size-3.5" strokeWidth={3} />}
      </span>
      <div className="grid min-w-0 content-start justify-items-start gap-0.5">
        <p className={isDone ? "text-muted" : "font-medium"}>
          {t(`steps.${step}.title`)}
          <span className="sr-only"> {t(isDone ? "done" : "open")}</span>
        </p>
        {!isDone && (
          <>
            <p className="text-muted text-sm">{t(`steps.${step}.text`)}</p>
            {way}
          </>
        )}
      </div>
    </li>
  );
}

/** The way to where a step is done. */
function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="inline-flex min-h-7 items-center font-medium text-accent-ink text-sm underline underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
    >
      {children}
    </Link>
  );
}

/** The site's address, to be handed on. */
function Invitation({ siteUrl }: { siteUrl: string }) {
  const t = useTranslations("dashboard.firstSteps.steps.people");
  const tCopy = useTranslations("apiDocs");
  const isOwnMachine = isLoopback(new URL(siteUrl).hostname);
  return (
    <div className="mt-1 grid w-full max-w-sm gap-1.5">
      <CodeBlock code={siteUrl} copy={{ label: tCopy("copyNamed", { name: t("address") }), done: tCopy("copied") }} />
      {isOwnMachine && <p className="text-muted text-sm">{t.rich("local", { link: (text) => <Link href="#health">{text}</Link> })}</p>}
    </div>
  );
}

/** Says that the list was put away, and brings it back. */
export function FirstStepsHidden() {
  const t = useTranslations("dashboard.firstSteps");
  return (
    <Outcome>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{t("hidden")}</p>
        <Form action={bringBack} className="grid shrink-0 gap-3">
          <SubmitButton kind="secondary">{t("undo")}</SubmitButton>
        </Form>
      </div>
    </Outcome>
  );
}

/** A piece for each step; the words beside it say the same. */
function Progress({ done }: { done: number }) {
  return (
    <span aria-hidden="true" className="inline-flex w-16 gap-1 sm:w-28">
      {FIRST_STEPS.map((step, index) => (
        <span key={step} className={`h-1.5 grow rounded-full ${index < done ? "bg-accent-ink" : "bg-line-strong/60"}`} />
      ))}
    </span>
  );
}
