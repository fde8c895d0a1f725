import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { AuthCard } from "#components/auth-card";
import { EmailAddress } from "#components/email-address";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { SubmitButton } from "#components/ui/submit-button";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import { addressToConfirm, findConfirmationState } from "#server/email-confirmation";
import type { LetterState } from "#server/mails/letter-state";
import { can } from "#server/permissions";
import type { OwnUser } from "#server/users";
import { ConfirmingEmail, isToBeExpected } from "../../confirming-email.tsx";
import { OF_LINKED_PAGE } from "../../outside.ts";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams } from "../../urls.ts";
import { currentSettings, currentUser, currentViewer } from "../../visit.ts";
import { confirmAddress, sendLetterAgain } from "./actions.ts";

type ConfirmProps = { searchParams: SearchParams };

export const generateMetadata = pageMetadata(async ({ searchParams }: ConfirmProps) => {
  const [t, { token, notice }] = await Promise.all([getTranslations("confirm"), queryOf(searchParams)]);
  const { heading } = await partShown(token, notice);
  return { title: t(heading), ...OF_LINKED_PAGE };
});

/** Where the letter's link leads. Looking changes nothing, for mail scanners look too: a button confirms. */
export default page(async ({ searchParams }: ConfirmProps) => {
  const { token, notice } = await queryOf(searchParams);
  const [t, viewer, user, { logo }] = await Promise.all([getTranslations("confirm"), currentViewer(), currentUser(), currentSettings()]);
  const { heading, address } = await partShown(token, notice);
  const head = { logo, title: t(heading) };
  if (token && address) return <ConfirmForm {...head} token={token} address={address} user={user} />;
  if (token) return <DeadLink {...head} user={user} />;
  if (heading === "done.title") return <Confirmed {...head} isSignedIn={user !== null} />;
  if (!viewer || !user) return <SignInFirst {...head} />;
  return <AskAgain {...head} user={user} state={await findConfirmationState(viewer)} canReadOutbox={can(viewer, "mail:read")} wasSent={notice === "sent"} />;
});

/** The text that the page is called after, and the address that is to be confirmed, if the link still can. */
const partShown = cache(async (token?: string, notice?: string) => {
  const user = await currentUser();
  const address = token ? await addressToConfirm(token) : null;
  // Whose link it was cannot be told any more: that somebody's own address is confirmed says nothing of another's.
  if (token && !address) return { heading: user?.isVerified ? "dead.ownTitle" : "dead.title", address } as const;
  const isDone = !token && (notice === "confirmed" || user?.isVerified);
  return { heading: isDone ? "done.title" : "title", address } as const;
});

/** What is said to who is not signed in, by how mail is set up. */
const SIGNED_OUT_BY_MAIL = { smtp: "signedOut", resend: "signedOut", outbox: "kept.signedOut", none: "noMail" } as const;

type Head = { logo: string | null; title: string };

type PartProps = Head & { user: OwnUser | null };

/** Says which address, for whoever is signed in may be somebody else: the owner, who tries a link of the outbox. */
function ConfirmForm({ token, address, user, ...head }: PartProps & { token: string; address: string }) {
  const t = useTranslations("confirm");
  return (
    <AuthCard {...head} intro={t.rich("text", { email: () => <EmailAddress address={address} className="font-medium text-ink" /> })}>
      <div className="grid gap-6">
        <Form action={confirmAddress} className="grid gap-4">
          <input type="hidden" name="token" value={token} />
          <SubmitButton>{t("submit")}</SubmitButton>
        </Form>
        {!user?.isVerified && env().MAIL !== "none" && (
          <section aria-labelledby="trouble" className="grid gap-2 border-line border-t pt-5">
            <h2 id="trouble" className="font-semibold">
              {t("trouble.title")}
            </h2>
            <p className="mb-2 text-muted text-sm">{t("trouble.text")}</p>
            <NextStep user={user} kind="secondary" />
          </section>
        )}
      </div>
    </AuthCard>
  );
}

function DeadLink({ user, ...head }: PartProps) {
  const t = useTranslations("confirm.dead");
  const own = user?.isVerified ? <EmailAddress address={user.email} className="font-medium text-ink" /> : null;
  return (
    <AuthCard {...head} intro={own ? t.rich("ownText", { email: () => own }) : t(env().MAIL === "none" ? "noMail" : "text")}>
      <NextStep user={user} />
    </AuthCard>
  );
}

function Confirmed({ isSignedIn, ...head }: Head & { isSignedIn: boolean }) {
  const t = useTranslations("confirm.done");
  return (
    <AuthCard {...head} intro={<p role="status">{t("text")}</p>}>
      <div className="grid gap-3">
        <ButtonLink href="/">{t("home")}</ButtonLink>
        {!isSignedIn && (
          <ButtonLink href="/login" kind="secondary">
            {t("signIn")}
          </ButtonLink>
        )}
      </div>
    </AuthCard>
  );
}

/** Whoever is not signed in can be sent nothing: whose address it is must be known. */
function SignInFirst(head: Head) {
  const t = useTranslations("confirm");
  return (
    <AuthCard {...head} intro={t(SIGNED_OUT_BY_MAIL[env().MAIL])}>
      <NextStep user={null} />
    </AuthCard>
  );
}

type AskAgainProps = Head & { user: OwnUser; state: LetterState | null; canReadOutbox: boolean; wasSent: boolean };

function AskAgain({ user, state, canReadOutbox, wasSent, ...head }: AskAgainProps) {
  const t = useTranslations("confirm");
  return (
    <AuthCard
      {...head}
      intro={<ConfirmingEmail email={user.email} state={state} canReadOutbox={canReadOutbox} />}
      notice={wasSent && isToBeExpected(state) && <Outcome>{t(lettersStayHere() ? "kept.sent" : "sent")}</Outcome>}
    >
      <NextStep user={user} />
    </AuthCard>
  );
}

/** The way on: a new link for who is signed in and has not confirmed yet, signing in for it, or, where no link is needed or can be sent, the boards. */
function NextStep({ user, kind }: { user: OwnUser | null; kind?: "primary" | "secondary" }) {
  const t = useTranslations("confirm");
  if (user?.isVerified || env().MAIL === "none")
    return (
      <div className="grid">
        <ButtonLink href="/">{t("done.home")}</ButtonLink>
      </div>
    );
  if (!user)
    return (
      <div className="grid">
        <ButtonLink href="/login?next=%2Fconfirm-address" kind={kind}>
          {t("signInForLink")}
        </ButtonLink>
      </div>
    );
  return (
    <Form action={sendLetterAgain} className="grid gap-4">
      <SubmitButton kind={kind}>{t("sendAgain")}</SubmitButton>
    </Form>
  );
}
