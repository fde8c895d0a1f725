import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { AuthCard } from "#components/auth-card";
import { CookieNotice } from "#components/cookie-notice";
import { FocusOnDesktop } from "#components/focus-on-desktop";
import { ForgotPasswordLink } from "#components/forgot-password-link";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { Link } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { Outcome } from "#components/ui/outcome";
import { PasswordField } from "#components/ui/password-field";
import { SubmitButton } from "#components/ui/submit-button";
import { nextPath } from "#lib/next-path";
import { sitePageMetadata } from "../../outside.ts";
import { page, pageMetadata } from "../../pages.tsx";
import { queryOf, type SearchParams, withQuery } from "../../urls.ts";
import { currentSettings, currentViewer } from "../../visit.ts";
import { signIn } from "./actions.ts";

export const generateMetadata = pageMetadata(async () => {
  const [t, site] = await Promise.all([getTranslations("login"), currentSettings()]);
  return sitePageMetadata(site, { title: t("title"), path: "/login" });
});

/** Signing in. `next` says where to go on, `email` what was typed before. */
export default page(async ({ searchParams }: { searchParams: SearchParams }) => {
  const { next, email, notice } = await queryOf(searchParams);
  if (await currentViewer()) redirect(nextPath(next));
  const t = await getTranslations("login");
  const { title, logo, allowSignup } = await currentSettings();
  const noAccount = (
    <p>
      {t("noAccount")} <Link href={withQuery("/signup", { next })}>{t("signUp")}</Link>
    </p>
  );
  return (
    <AuthCard
      logo={logo}
      title={t("title")}
      intro={t.rich("intro", { site: () => <bdi>{title}</bdi> })}
      notice={<LoginNotice notice={notice} next={next} />}
      footer={allowSignup ? noAccount : <p>{t("closed")}</p>}
    >
      <LoginForm next={next} email={email} />
    </AuthCard>
  );
});

function LoginNotice({ notice, next }: { notice?: string; next?: string }) {
  const t = useTranslations("login");
  if (notice === "set-up") return <Notice>{t("alreadySetUp")}</Notice>;
  if (notice === "password-changed") return <Outcome>{t("passwordChanged")}</Outcome>;
  return nextPath(next) === "/" ? null : <p className="text-center">{t("goOn")}</p>;
}

function LoginForm({ next = "", email }: { next?: string; email?: string }) {
  const t = useTranslations("fields");
  const tLogin = useTranslations("login");
  return (
    <Form action={signIn} className="grid gap-5">
      <CookieNotice text={tLogin("cookiesBlocked")} />
      <input type="hidden" name="next" value={next} />
      <Field name="email" type="email" label={t("email")} autoComplete="username" defaultValue={email} required isLiteral />
      <PasswordField name="password" label={t("password")} autoComplete="current-password" showText={t("showPassword")} />
      <ForgotPasswordLink email={email} text={tLogin("forgot")} />
      <SubmitButton>{tLogin("submit")}</SubmitButton>
      <FocusOnDesktop to={email ? "password" : "email"} />
    </Form>
  );
}
