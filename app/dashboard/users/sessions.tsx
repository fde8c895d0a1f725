import { useTranslations } from "next-intl";
import { DeviceIcon, useDeviceName } from "#components/device-name";
import { DottedFacts } from "#components/dotted-facts";
import { Badge } from "#components/ui/badge";
import { ListCard } from "#components/ui/card";
import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { Age, Time } from "#components/ui/time";
import type { PersonInFull, PersonSession } from "#server/people";
import { endSession, endSessions } from "./actions.ts";

/** Where somebody is signed in, each with the way to end it. */
export function Sessions({ person: { userId, sessions, sessionCount } }: { person: PersonInFull }) {
  const t = useTranslations("people.sessions");
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
  return (
    <section aria-labelledby="sessions" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid gap-1">
          <h2 id="sessions" className="font-semibold text-xl">
            {t("title")}
          </h2>
          <p className="text-muted text-sm">{t("text", { count: sessionCount })}</p>
        </div>
        {others > 1 && (
          <Form action={endSessions} className="grid gap-3">
            <input type="hidden" name="userId" value={userId} />
            <SubmitButton kind="secondary">{t(others < sessions.length ? "endOthers" : "endAll")}</SubmitButton>
          </Form>
        )}
      </div>
      {sessions.length > 0 && (
        <ListCard>
          {sessions.map((session) => (
            <SessionItem key={session.sessionId} userId={userId} session={session} />
          ))}
        </ListCard>
      )}
    </section>
  );
}

function SessionItem({ userId, session: { sessionId, device, createdAt, lastSeenAt, isCurrent } }: { userId: string; session: PersonSession }) {
  const t = useTranslations("people.sessions");
  const name = useDeviceName(device);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <DeviceIcon kind={device.kind} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <span>{name}</span>
          {isCurrent && <Badge tone="success">{t("current")}</Badge>}
        </p>
        <p className="text-muted text-sm">
          <DottedFacts>
            <span>{t.rich("seen", { time: () => <Age at={lastSeenAt} /> })}</span>
            <span>{t.rich("since", { time: () => <Time at={createdAt} withTime /> })}</span>
          </DottedFacts>
        </p>
      </div>
      {!isCurrent && (
        <Form action={endSession} className="grid gap-3 max-sm:basis-full max-sm:justify-items-start max-sm:ps-9">
          <input type="hidden" name="userId" value={userId} />
          <input type="hidden" name="sessionId" value={sessionId} />
          <SubmitButton kind="secondary" label={t("endNamed", { name })}>
            {t("end")}
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
