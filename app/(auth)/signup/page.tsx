import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth-card";
import { NewPasswordField } from "#components/new-password-field";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { ButtonLink, Link } from "#components/ui/link";
import { SubmitButton } from "#components/ui/submit-button";
import { env } from "#lib/env";
import { lettersStayHere } from "#lib/mail";
import { nextPath } from "#lib/next-path";
import { commonPasswordMarks } from "#server/common-passwords";
import { MAX_DISPLAY_NAME } from "#server/users";
import { sitePageMetadata } from "../../outside.ts";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentViewer } from "../../visit.ts";
import { createAccount } from "./actions.ts";

export const generateMetadata = pageMetadata(async () => {
  const [t, site] = await Promise.all([getTranslations("signup"), currentSettings()]);
  const obstacle = obstacleTo(site);
  return sitePageMetadata(site, { title: t(obstacle ? `${obstacle}.title` : "title"), path: "/signup" });
});

/** Making an account, or why that is not possible here just now. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { next } = await queryOf(searchParams);
  if (await currentViewer()) redirect(nextPath(next));
  const t = await getTranslations("signup");
  const site = await currentSettings();
  const { title, logo } = site;
  const obstacle = obstacleTo(site);
  if (obstacle) return <NoSignup logo={logo} reason={obstacle} />;
  const haveAccount = (
    <p>
      {t("haveAccount")} <Link href={withQuery("/login", { next })}>{t("signIn")}</Link>
    </p>
  );
  return (
    <AuthCard logo={logo} title={t("title")} intro={t.rich("intro", { site: () => <bdi>{title}</bdi> })} footer={haveAccount}>
      <SignupForm next={next} />
    </AuthCard>
  );
});

type Obstacle = "closed" | "noMail";

/** Why nobody can make an account here just now; null where everybody can. */
function obstacleTo({ allowSignup }: { allowSignup: boolean }): Obstacle | null {
  if (!allowSignup) return "closed";
  return env().MAIL === "none" ? "noMail" : null;
}

function SignupForm({ next = "" }: { next?: string }) {
  const t = useTranslations("fields");
  const tSignup = useTranslations("signup");
  return (
    <Form action={createAccount} className="grid gap-5">
      <input type="hidden" name="next" value={next} />
      <Field name="name" label={t("nameOptional")} hint={tSignup("nameHint")} autoComplete="name" maxLength={MAX_DISPLAY_NAME} />
      <Field
        name="email"
        type="email"
        label={t("email")}
        hint={tSignup(lettersStayHere() ? "emailHintKept" : "emailHint")}
        autoComplete="username"
        required
        isLiteral
      />
      <NewPasswordField commonMarks={commonPasswordMarks()} />
      <SubmitButton>{tSignup("submit")}</SubmitButton>
    </Form>
  );
}

function NoSignup({ logo, reason }: { logo: string | null; reason: Obstacle }) {
  const t = useTranslations("signup");
  return (
    <AuthCard logo={logo} title={t(`${reason}.title`)} intro={<p>{t(`${reason}.text`)}</p>}>
      <div className="grid gap-3">
        <ButtonLink href="/login">{t("signIn")}</ButtonLink>
        <ButtonLink href="/" kind="secondary">
          {t("home")}
        </ButtonLink>
      </div>
    </AuthCard>
  );
}
