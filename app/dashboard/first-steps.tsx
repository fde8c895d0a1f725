import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { NamedCode } from "#components/named-code";
import { Card } from "#components/ui/card";
import { Form } from "#components/ui/form";
import { Link, StandaloneLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { SubmitButton } from "#components/ui/submit-button";
import { isLoopback } from "#lib/loopback";
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
  const done = FIRST_STEPS.filter((step) => steps[step]);
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
                <Progress done={done.length} />
                {t("progress", { done: done.length, total: FIRST_STEPS.length })}
              </p>
            </div>
            <Form action={putAway} className="-mt-1.5 -me-4 forced-colors:me-0 grid shrink-0 gap-3">
              <SubmitButton kind="quiet">{t("putAway")}</SubmitButton>
            </Form>
          </div>
          <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            {FIRST_STEPS.filter((step) => !steps[step]).map((step) => (
              <OpenStep key={step} step={step} way={ways[step]} />
            ))}
          </ol>
          {done.length > 0 && (
            <ul className="flex flex-wrap gap-x-6 gap-y-2 border-line border-t pt-4 text-muted text-sm">
              {done.map((step) => (
                <DoneStep key={step} step={step} />
              ))}
            </ul>
          )}
        </div>
      </Card>
    </section>
  );
}

function OpenStep({ step, way }: { step: FirstStep; way: ReactNode }) {
  const t = useTranslations("dashboard.firstSteps");
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 sm:odd:last:col-span-2">
      <span aria-hidden="true" className="mt-0.5 size-5 rounded-full border-2 border-line-strong" />
      <div className="grid min-w-0 content-start justify-items-start gap-0.5">
        <p className="font-medium">
          {t(`steps.${step}.title`)}
          <span className="sr-only"> {t("open")}</span>
        </p>
        <p className="text-muted text-sm">{t(`steps.${step}.text`)}</p>
        {way}
      </div>
    </li>
  );
}

function DoneStep({ step }: { step: FirstStep }) {
  const t = useTranslations("dashboard.firstSteps");
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden="true" className="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent">
        <Check className="size-3.5" strokeWidth={3} />
      </span>
      <span>
        {t(`steps.${step}.title`)}
        <span className="sr-only"> {t("done")}</span>
      </span>
    </li>
  );
}

/** The way to where a step is done. */
function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <StandaloneLink href={href} className="font-medium text-sm">
      {children}
    </StandaloneLink>
  );
}

/** The site's address, to be handed on. */
function Invitation({ siteUrl }: { siteUrl: string }) {
  const t = useTranslations("dashboard.firstSteps.steps.people");
  const isOwnMachine = isLoopback(new URL(siteUrl).hostname);
  return (
    <div className="mt-1 grid w-full max-w-sm gap-1.5">
      <NamedCode code={siteUrl} name={t("address")} />
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
        <span
          key={step}
          className={`h-1.5 grow rounded-full ${index < done ? "bg-accent-ink forced-colors:bg-[CanvasText]" : "bg-line-strong/60 forced-colors:border"}`}
        />
      ))}
    </span>
  );
}
