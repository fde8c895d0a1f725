import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
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
import { OF_LINKED_PAGE } from "../../outside.ts";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentUser } from "../../visit.ts";
import { askForLetter, setNewPassword } from "./actions.ts";

type ResetProps = { searchParams: SearchParams };

export const generateMetadata = pageMetadata(async ({ searchParams }: ResetProps) => {
  const [t, { token, notice, email }] = await Promise.all([getTranslations("reset"), queryOf(searchParams)]);
  const { heading } = await partShown(token, notice, email);
  return { title: t(heading), ...OF_LINKED_PAGE };
});

/** A way back in: asks for the address, and, where the letter's link leads, for the new password. Looking changes nothing, for mail scanners look too. */
export default page(async ({ searchParams }: ResetProps) => {
  const { token, notice, email } = await queryOf(searchParams);
  const [t, { logo }, part] = await Promise.all([getTranslations("reset"), currentSettings(), partShown(token, notice, email)]);
  const head = { logo, title: t(part.heading) };
  if (part.heading === "new.title") return <NewPassword {...head} token={part.token} address={part.address} />;
  if (part.heading === "dead.title") return <DeadLink {...head} />;
  if (part.heading === "noMail.title") return <NoMail {...head} />;
  if (part.heading !== "title") return <LetterSent {...head} email={part.email} />;
  return <AskForLetter {...head} email={email ?? (await currentUser())?.email} />;
});

/** Which part of its way the page shows, told by the text that it is called after. */
const partShown = cache(async (token?: string, notice?: string, email?: string) => {
  const address = token ? await findResetAddress(token) : null;
  if (token && address) return { heading: "new.title", token, address } as const;
  if (token) return { heading: "dead.title" } as const;
  if (env().MAIL === "none") return { heading: "noMail.title" } as const;
  // What is no address is nobody's words but the link's.
  const isSent = notice === "sent" && emailAddress.safeParse(email).success;
  if (isSent && email) return { heading: lettersStayHere() ? "kept.title" : "sent.title", email } as const;
  return { heading: "title" } as const;
});

type Head = { logo: string | null; title: string };

function AskForLetter({ email, ...head }: Head & { email?: string }) {
  const t = useTranslations("reset");
  return (
    <AuthCard {...head} intro={t(lettersStayHere() ? "kept.intro" : "intro")} footer={<BackToSignIn email={email} />}>
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

function LetterSent({ email, ...head }: Head & { email: string }) {
  const tSent = useTranslations("reset.sent");
  const tKept = useTranslations("reset.kept");
  const t = lettersStayHere() ? tKept : tSent;
  return (
    <AuthCard
      {...head}
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

function NewPassword({ token, address, ...head }: Head & { token: string; address: string }) {
  const t = useTranslations("reset.new");
  const footer = (
    <p>
      {t("trouble")} <Link href={withQuery("/reset-password", { email: address })}>{t("again")}</Link>
    </p>
  );
  return (
    <AuthCard {...head} intro={t.rich("intro", { email: () => <EmailAddress address={address} className="font-medium text-ink" /> })} footer={footer}>
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

function DeadLink(head: Head) {
  const t = useTranslations("reset.dead");
  const { MAIL } = env();
  return (
    <AuthCard {...head} intro={t(DEAD_BY_MAIL[MAIL])} footer={<BackToSignIn />}>
      {MAIL === "none" ? <OwnersWay /> : <RequestForm />}
    </AuthCard>
  );
}

function NoMail(head: Head) {
  const t = useTranslations("reset.noMail");
  return (
    <AuthCard {...head} footer={<BackToSignIn />}>
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
