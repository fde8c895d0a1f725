import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { ButtonLink, Link } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { env } from "#lib/env";
import { nextPath } from "#lib/next-path";
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
  const { title, allowSignup } = await currentSettings();
  if (!allowSignup) return <NoSignup reason="closed" />;
  if (env().MAIL === "none") return <NoSignup reason="noMail" />;
  return (
    <>
      <PageHeader title={t("title")} intro={t.rich("intro", { site: () => <bdi>{title}</bdi> })} />
      <SignupForm next={next} />
      <p>
        {t("haveAccount")} <Link href={withQuery("/login", { next })}>{t("signIn")}</Link>
      </p>
    </>
  );
});

function SignupForm({ next = "" }: { next?: string }) {
  const t = useTranslations("fields");
  const tSignup = useTranslations("signup");
  return (
    <Form action={createAccount}>
      <input type="hidden" name="next" value={next} />
      <Field name="name" label={t("nameOptional")} hint={tSignup("nameHint")} autoComplete="name" maxLength={60} />
      <Field name="email" type="email" label={t("email")} hint={tSignup("emailHint")} autoComplete="username" required isLiteral />
      <Field name="password" type="password" label={t("password")} hint={t("passwordHint")} autoComplete="new-password" required />
      <SubmitButton>{tSignup("submit")}</SubmitButton>
    </Form>
  );
}

function NoSignup({ reason }: { reason: "closed" | "noMail" }) {
  const t = useTranslations("signup");
  return (
    <>
      <PageHeader title={t("title")} />
      <EmptyState title={t(`${reason}.title`)} text={t(`${reason}.text`)}>
        <ButtonLink href="/login">{t("signIn")}</ButtonLink>
        <ButtonLink href="/" kind="secondary">
          {t("home")}
        </ButtonLink>
      </EmptyState>
    </>
  );
}
