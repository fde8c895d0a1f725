import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Checkbox, Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { databaseKind } from "#lib/db";
import { env } from "#lib/env";
import { page, pageMetadata } from "../pages.tsx";
import { currentViewer, hasOwner } from "../visit.ts";
import { setUpSite } from "./actions.ts";

export const generateMetadata = pageMetadata(async () => {
  const t = await getTranslations("setup");
  return { title: { absolute: t("title") }, robots: { index: false } };
});

/** The first visit: whoever completes it owns the site. Leads away once that was done. */
export default page(showSetup, { isForSetUp: true });

async function showSetup() {
  if (await hasOwner()) redirect((await currentViewer()) ? "/" : "/login?notice=set-up");
  const t = await getTranslations("setup");
  const { MAIL, SETUP_TOKEN, DATA_DIR } = env();
  return (
    <div className="mx-auto grid w-full max-w-xl gap-8">
      <PageHeader title={t("title")} intro={t("intro")} />
      {MAIL === "none" ? (
        <MailMissing />
      ) : (
        <>
          {MAIL === "outbox" && <Notice>{t("outbox")}</Notice>}
          <SetupForm asksForToken={SETUP_TOKEN !== undefined} />
          {databaseKind() === "embedded" && (
            <p className="text-muted text-sm">{t.rich("embedded", { code: (text) => <code>{text}</code>, folder: () => <code>{DATA_DIR}</code> })}</p>
          )}
          <p className="text-muted text-sm">{t("privacy")}</p>
        </>
      )}
    </div>
  );
}

function SetupForm({ asksForToken }: { asksForToken: boolean }) {
  const t = useTranslations("setup");
  const tFields = useTranslations("fields");
  return (
    <Form action={setUpSite} className="grid gap-8">
      <fieldset className="grid gap-6">
        <legend className="mb-4 font-semibold text-xl">{t("you")}</legend>
        {asksForToken && <Field name="setupToken" type="password" label={tFields("setupToken")} hint={t("tokenHint")} autoComplete="off" required />}
        <Field name="name" label={tFields("name")} hint={t("nameHint")} autoComplete="name" maxLength={60} required />
        <Field name="email" type="email" label={tFields("email")} hint={t("emailHint")} autoComplete="username" required isLiteral />
        <Field name="password" type="password" label={tFields("password")} hint={tFields("passwordHint")} autoComplete="new-password" required />
      </fieldset>
      <fieldset className="grid gap-6">
        <legend className="mb-4 font-semibold text-xl">{t("site")}</legend>
        <Field
          name="siteTitle"
          label={tFields("siteTitle")}
          hint={t("siteTitleHint")}
          defaultValue={t("siteTitleDefault")}
          autoComplete="off"
          maxLength={100}
          required
        />
        <Field name="boardName" label={tFields("boardName")} hint={t("boardHint")} autoComplete="off" maxLength={60} />
        <Checkbox name="blockCommonPasswords" label={tFields("blockCommonPasswords")} hint={t("blockHint")} defaultChecked />
      </fieldset>
      <SubmitButton>{t("submit")}</SubmitButton>
    </Form>
  );
}

function MailMissing() {
  const t = useTranslations("setup.noMail");
  return (
    <Notice tone="danger">
      <div className="grid gap-4">
        <h2 className="font-semibold text-lg">{t("title")}</h2>
        <p>{t("text")}</p>
        <dl className="grid gap-3 text-ink">
          {(["outbox", "smtp", "resend"] as const).map((kind) => (
            <div key={kind} className="grid gap-1">
              <dt>{t(`${kind}.when`)}</dt>
              <dd>
                <code className="block rounded-md bg-surface px-3 py-2 text-sm">{t(`${kind}.line`)}</code>
              </dd>
            </div>
          ))}
        </dl>
        <p>{t("then")}</p>
        <div>
          <ButtonLink href="/setup" kind="secondary">
            {t("again")}
          </ButtonLink>
        </div>
      </div>
    </Notice>
  );
}
