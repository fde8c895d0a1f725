import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth-card";
import { EmailAddress } from "#components/email-address";
import { NewPasswordField } from "#components/new-password-field";
import { Code } from "#components/ui/code";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { ButtonLink, Link, StandaloneLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { SubmitButton } from "#components/ui/submit-button";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import { commonPasswordMarks } from "#server/common-passwords";
import { emailAddress } from "#server/credentials";
import { findResetAddress } from "#server/password-reset";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentUser } from "../../visit.ts";
import { askForLetter, setNewPassword } from "./actions.ts";

export const generateMetadata = pageMetadata(async () => {
  const t = await getTranslations("reset");
  // The address holds the link's token, which no other site may hear. Not "no-referrer": browsers then send forms without their origin, and Next refuses those.
  return { title: t("title"), referrer: "same-origin" as const, robots: { index: false } };
});

/** A way back in: asks for the address, and, where the letter's link leads, for the new password. Looking changes nothing, for mail scanners look too. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { token, notice, email } = await queryOf(searchParams);
  const { logo } = await currentSettings();
  if (token) return <NewPassword logo={logo} token={token} address={await findResetAddress(token)} />;
  if (env().MAIL === "none") return <NoMail logo={logo} />;
  // What is no address is nobody's words but the link's.
  if (notice === "sent" && emailAddress.safeParse(email).success && email) return <LetterSent logo={logo} email={email} />;
  return <AskForLetter logo={logo} email={email ?? (await currentUser())?.email} />;
});

type Logo = { logo: string | null };

function AskForLetter({ logo, email }: Logo & { email?: string }) {
  const t = useTranslations("reset");
  return (
    <AuthCard logo={logo} title={t("title")} intro={t(lettersStayHere() ? "kept.intro" : "intro")} footer={<BackToSignIn email={email} />}>
      <RequestForm email={email} />
    </AuthCard>
  );
}

function RequestForm({ email }: { email?: string }) {
  const t = useTranslations("reset");
  const tFields = useTranslations("fields");
  return (
    <Form action={askForLetter} className="grid gap-5">
      <Field name="email" type="email" label={tFields("email")} autoComplete="username" defaultValue={email} required isLiteral />
      <SubmitButton>{t("submit")}</SubmitButton>
    </Form>
  );
}

function LetterSent({ logo, email }: Logo & { email: string }) {
  const tSent = useTranslations("reset.sent");
  const tKept = useTranslations("reset.kept");
  const t = lettersStayHere() ? tKept : tSent;
  return (
    <AuthCard
      logo={logo}
      title={t("title")}
      notice={<Outcome>{t.rich("text", { email: () => <EmailAddress address={email} className="font-medium" /> })}</Outcome>}
      footer={<BackToSignIn email={email} />}
    >
      <div className="grid gap-4">
        <p className="text-muted">{t("nothing")}</p>
        {lettersStayHere() && <OwnersWay />}
        <ButtonLink href={withQuery("/reset-password", { email })} kind="secondary">
          {tSent("again")}
        </ButtonLink>
      </div>
    </AuthCard>
  );
}

/** `address` is null for a link that no longer works. */
function NewPassword({ logo, token, address }: Logo & { token: string; address: string | null }) {
  const t = useTranslations("reset.new");
  if (!address) return <DeadLink logo={logo} />;
  const footer = (
    <p>
      {t("trouble")} <Link href={withQuery("/reset-password", { email: address })}>{t("again")}</Link>
    </p>
  );
  return (
    <AuthCard
      logo={logo}
      title={t("title")}
      intro={t.rich("intro", { email: () => <EmailAddress address={address} className="font-medium text-ink" /> })}
      footer={footer}
    >
      <NewPasswordForm token={token} address={address} />
    </AuthCard>
  );
}

function NewPasswordForm({ token, address }: { token: string; address: string }) {
  const t = useTranslations("reset.new");
  return (
    <Form action={setNewPassword} className="grid gap-5">
      <input type="hidden" name="token" value={token} />
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={address} readOnly hidden />
      <NewPasswordField isReplacement commonMarks={commonPasswordMarks()} />
      <SubmitButton>{t("submit")}</SubmitButton>
      <p className="text-muted text-sm">{t("consequence")}</p>
    </Form>
  );
}

/** What is said of a link that no longer works, by how mail is set up. */
const DEAD_BY_MAIL = { smtp: "text", resend: "text", outbox: "kept", none: "noMail" } as const;

function DeadLink({ logo }: Logo) {
  const t = useTranslations("reset.dead");
  const { MAIL } = env();
  return (
    <AuthCard logo={logo} title={t("title")} intro={t(DEAD_BY_MAIL[MAIL])} footer={<BackToSignIn />}>
      {MAIL === "none" ? <OwnersWay /> : <RequestForm />}
    </AuthCard>
  );
}

function NoMail({ logo }: Logo) {
  const t = useTranslations("reset.noMail");
  return (
    <AuthCard logo={logo} title={t("title")} footer={<BackToSignIn />}>
      <div className="grid gap-3">
        <p>{t("text")}</p>
        <OwnersWay />
      </div>
    </AuthCard>
  );
}

/** What an owner does whom nobody can give a link, be it that no letter is written, or that it lies in the outbox, which opens for owners who are signed in. */
function OwnersWay() {
  const t = useTranslations("reset");
  return <p className="text-muted">{t.rich("owner", { code: (text) => <Code>{text}</Code> })}</p>;
}

function BackToSignIn({ email }: { email?: string }) {
  const t = useTranslations("reset");
  return (
    <p>
      <StandaloneLink href={withQuery("/login", { email: email || undefined })}>{t("back")}</StandaloneLink>
    </p>
  );
}
