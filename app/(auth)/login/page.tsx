import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { nextPath } from "#lib/next-path";
import { page, titled } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentViewer } from "../../visit.ts";
import { signIn } from "./actions.ts";

export const generateMetadata = titled("login");

/** Signing in. `next` says where to go on, `email` what was typed before. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { next, email, notice } = await queryOf(searchParams);
  if (await currentViewer()) redirect(nextPath(next));
  const t = await getTranslations("login");
  const { title, allowSignup } = await currentSettings();
  return (
    <>
      <PageHeader title={t("title")} intro={t.rich("intro", { site: () => <bdi>{title}</bdi> })} />
      {notice === "set-up" && <Notice>{t("alreadySetUp")}</Notice>}
      <LoginForm next={next} email={email} />
      {allowSignup && (
        <p>
          {t("noAccount")} <Link href={withQuery("/signup", { next })}>{t("signUp")}</Link>
        </p>
      )}
    </>
  );
});

function LoginForm({ next = "", email }: { next?: string; email?: string }) {
  const t = useTranslations("fields");
  const tLogin = useTranslations("login");
  return (
    <Form action={signIn}>
      <input type="hidden" name="next" value={next} />
      <Field name="email" type="email" label={t("email")} autoComplete="username" defaultValue={email} required isLiteral />
      <Field name="password" type="password" label={t("password")} autoComplete="current-password" required />
      <SubmitButton>{tLogin("submit")}</SubmitButton>
    </Form>
  );
}
