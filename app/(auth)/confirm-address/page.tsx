import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams } from "../../urls.ts";
import { currentUser } from "../../visit.ts";
import { confirmAddress, sendLetterAgain } from "./actions.ts";

type OwnUser = Awaited<ReturnType<typeof currentUser>>;

export const generateMetadata = pageMetadata(async () => {
  const t = await getTranslations("confirm");
  // The address holds the link's token, which no other site may hear. Not "no-referrer": browsers then send forms without their origin, and Next refuses those.
  return { title: t("title"), referrer: "same-origin" as const, robots: { index: false } };
});

/** Where the letter's link leads. Looking changes nothing, for mail scanners look too: a button confirms. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { token, notice } = await queryOf(searchParams);
  const user = await currentUser();
  if (token) return <ConfirmForm token={token} user={user} />;
  if (notice === "confirmed" || user?.isVerified) return <Confirmed isSignedIn={user !== null} />;
  return <AskAgain user={user} wasSent={notice === "sent"} />;
});

function ConfirmForm({ token, user }: { token: string; user: OwnUser }) {
  const t = useTranslations("confirm");
  return (
    <>
      <PageHeader title={t("title")} intro={t("text")} />
      <Form action={confirmAddress}>
        <input type="hidden" name="token" value={token} />
        <SubmitButton>{t("submit")}</SubmitButton>
      </Form>
      <section aria-labelledby="trouble" className="grid gap-4 border-line border-t pt-6">
        <h2 id="trouble" className="font-semibold text-lg">
          {t("trouble.title")}
        </h2>
        <p className="text-muted">{t("trouble.text")}</p>
        <NextStep user={user} />
      </section>
    </>
  );
}

function Confirmed({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTranslations("confirm.done");
  return (
    <>
      <PageHeader title={t("title")} intro={<p role="status">{t("text")}</p>} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/">{t("home")}</ButtonLink>
        {!isSignedIn && (
          <ButtonLink href="/login" kind="secondary">
            {t("signIn")}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function AskAgain({ user, wasSent }: { user: OwnUser; wasSent: boolean }) {
  const t = useTranslations("confirm");
  return (
    <>
      <PageHeader
        title={t("title")}
        intro={user ? t.rich("waiting", { email: () => <bdi className="font-medium text-ink">{user.email}</bdi> }) : t("signedOut")}
      />
      {wasSent && <Outcome>{t("sent")}</Outcome>}
      <NextStep user={user} />
    </>
  );
}

function NextStep({ user }: { user: OwnUser }) {
  const t = useTranslations("confirm");
  if (!user)
    return (
      <div>
        <ButtonLink href="/login?next=%2Fconfirm-address" kind="secondary">
          {t("signInForLink")}
        </ButtonLink>
      </div>
    );
  if (user.isVerified) return <p>{t("alreadyConfirmed")}</p>;
  return (
    <Form action={sendLetterAgain}>
      <div>
        <SubmitButton kind="secondary">{t("sendAgain")}</SubmitButton>
      </div>
    </Form>
  );
}
