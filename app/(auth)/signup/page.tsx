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
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentViewer } from "../../visit.ts";
import { createAccount } from "./actions.ts";

export const generateMetadata = titled("signup");

/** Making an account, or why that is not possible here just now. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { next } = await queryOf(searchParams);
  if (await currentViewer()) redirect(nextPath(next));
  const t = await getTranslations("signup");
  const { title, logo, allowSignup } = await currentSettings();
  if (!allowSignup) return <NoSignup logo={logo} reason="closed" />;
  if (env().MAIL === "none") return <NoSignup logo={logo} reason="noMail" />;
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

function SignupForm({ next = "" }: { next?: string }) {
  const t = useTranslations("fields");
  const tSignup = useTranslations("signup");
  return (
    <Form action={createAccount} className="grid gap-5">
      <input type="hidden" name="next" value={next} />
      <Field name="name" label={t("nameOptional")} hint={tSignup("nameHint")} autoComplete="name" maxLength={60} />
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

function NoSignup({ logo, reason }: { logo: string | null; reason: "closed" | "noMail" }) {
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
