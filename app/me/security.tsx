import { BadgeCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { DeviceIcon, useDeviceName } from "#components/device-name";
import { DottedFacts } from "#components/dotted-facts";
import { EmailAddress } from "#components/email-address";
import { NewPasswordField } from "#components/new-password-field";
import { Badge } from "#components/ui/badge";
import { Form } from "#components/ui/form";
import { PasswordField } from "#components/ui/password-field";
import { SubmitButton } from "#components/ui/submit-button";
import { Age, Time } from "#components/ui/time";
import { readDevice } from "#lib/devices";
import { env } from "#lib/env";
import { commonPasswordMarks } from "#server/common-passwords";
import type { LetterState } from "#server/mails/letter-state";
import type { listSessions } from "#server/sessions";
import { ConfirmingEmail, isToBeExpected } from "../confirming-email.tsx";
import { AccountSection } from "./account-section.tsx";
import { savePassword, sendConfirmation, signOutDevice, signOutElsewhere } from "./actions.ts";

type Noticed = { notice: string | undefined };
type Session = Awaited<ReturnType<typeof listSessions>>[number];

type EmailSectionProps = {
  email: string;
  isVerified: boolean;
  /** How the last email stands whose link confirms the address. */
  letter: LetterState | null;
  canReadOutbox: boolean;
};

/** Where letters go, and whether that was shown to be right. */
export function EmailSection({ email, isVerified, letter, canReadOutbox, notice }: Noticed & EmailSectionProps) {
  const t = useTranslations("me.email");
  return (
    <AccountSection id="email" notice={notice === "letter" && !isToBeExpected(letter) ? undefined : notice}>
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="min-w-0 font-medium">
            <EmailAddress address={email} />
          </span>
          <Badge tone={isVerified ? "success" : "warning"}>
            {isVerified && <BadgeCheck aria-hidden="true" className="size-3.5" />}
            {t(isVerified ? "confirmed" : "unconfirmed")}
          </Badge>
        </p>
        {!isVerified && (
          <p className="text-muted text-sm">
            <ConfirmingEmail email={email} state={letter} canReadOutbox={canReadOutbox} />
          </p>
        )}
        {!isVerified && env().MAIL !== "none" && <SendAgain />}
      </div>
    </AccountSection>
  );
}

function SendAgain() {
  const t = useTranslations("me.email");
  return (
    <Form action={sendConfirmation} className="grid gap-4">
      <div>
        <SubmitButton kind="secondary">{t("sendAgain")}</SubmitButton>
      </div>
    </Form>
  );
}

/** A new password, for who knows the present one. */
export function PasswordSection({ email, notice }: Noticed & { email: string }) {
  const t = useTranslations("me.password");
  const tFields = useTranslations("fields");
  return (
    <AccountSection id="password" notice={notice}>
      {/* Made anew once it is done, so that no password stays in it. */}
      <Form key={notice === "password" ? "done" : "open"} action={savePassword} className="grid gap-5">
        {/* Tells password managers whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField name="password.current" label={tFields("currentPassword")} autoComplete="current-password" showText={tFields("showPassword")} />
        <NewPasswordField name="password.new" isReplacement commonMarks={commonPasswordMarks()} />
        <div>
          <SubmitButton>{t("submit")}</SubmitButton>
        </div>
      </Form>
    </AccountSection>
  );
}

/** Where the person is signed in. */
export function SessionsSection({ sessions, notice }: Noticed & { sessions: Session[] }) {
  const t = useTranslations("me.sessions");
  return (
    <AccountSection id="sessions" notice={notice}>
      <ul className="-my-3 divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div className="mt-6 border-line border-t pt-5">
          <Form action={signOutElsewhere} className="grid gap-4">
            <div>
              <SubmitButton kind="secondary">{t("signOutElsewhere")}</SubmitButton>
            </div>
          </Form>
        </div>
      )}
    </AccountSection>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useTranslations("me.sessions");
  const device = readDevice(session.device);
  const name = useDeviceName(device);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <DeviceIcon kind={device.kind} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium">{name}</span>
          {session.isCurrent && <Badge tone="success">{t("current")}</Badge>}
        </p>
        <p className="text-muted text-sm">
          <DottedFacts>
            <span>{t.rich("seen", { time: () => <Age at={session.lastSeenAt} /> })}</span>
            <span>{t.rich("since", { time: () => <Time at={session.createdAt} withTime /> })}</span>
          </DottedFacts>
        </p>
      </div>
      {!session.isCurrent && (
        <Form action={signOutDevice} className="grid gap-3 max-sm:basis-full max-sm:justify-items-start max-sm:ps-9">
          <input type="hidden" name="sessionId" value={session.sessionId} />
          <SubmitButton kind="secondary" label={t("signOutNamed", { device: name })}>
            {t("signOut")}
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
