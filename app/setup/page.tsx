import { Clock, type LucideIcon, Plus } from "lucide-react";
import { redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { BoardTile } from "#components/board-tile";
import { CheckList } from "#components/check-list";
import { Draft } from "#components/draft";
import { NamedCode } from "#components/named-code";
import { NewPasswordField } from "#components/new-password-field";
import { SetupPreview } from "#components/setup-preview";
import { ChoiceCards } from "#components/ui/choice-cards";
import { Code } from "#components/ui/code";
import { Checkbox, ColorField, Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { Notice } from "#components/ui/notice";
import { PageHeader } from "#components/ui/page-header";
import { Steps } from "#components/ui/steps";
import { SubmitButton } from "#components/ui/submit-button";
import { TimeZoneOfBrowser } from "#components/ui/time-zone-of-browser";
import { DEFAULT_ACCENT } from "#lib/accent";
import { databaseKind } from "#lib/db";
import { splitEmoji } from "#lib/emoji";
import { env } from "#lib/env";
import { MAX_BOARD_NAME } from "#server/boards";
import { type Check, runPublicChecks } from "#server/checks";
import { commonPasswordMarks } from "#server/common-passwords";
import { MAX_SITE_TITLE } from "#server/settings";
import { MAX_DISPLAY_NAME } from "#server/users";
import { page, pageMetadata } from "../pages.tsx";
import { currentViewer, currentVisit, isSiteSetUp } from "../visit.ts";
import { checkOwner, setUpSite } from "./actions.ts";
import { BOARD_TEMPLATES } from "./board-templates.ts";

export const generateMetadata = pageMetadata(async () => {
  const t = await getTranslations("setup");
  return { title: { absolute: t("title") }, robots: { index: false } };
});

/** The first visit: whoever completes it owns the site. Leads away once that was done. */
export default page(showSetup, { isForSetUp: true });

async function showSetup() {
  if (await isSiteSetUp()) redirect((await currentViewer()) ? "/" : "/login?notice=set-up");
  const visit = await currentVisit();
  const [t, checks] = await Promise.all([getTranslations("setup"), runPublicChecks(visit)]);
  return (
    <div className="grid w-full gap-8">
      <PageHeader title={t("title")} intro={t(env().MAIL === "none" ? "introWithoutMail" : "intro")} />
      {env().MAIL === "none" ? (
        <div className="grid max-w-2xl gap-6">
          <MailMissing />
          <CheckList checks={checks.filter(({ check }) => check !== "mail")} />
        </div>
      ) : (
        <Wizard checks={checks} siteTitle={titleFromHost(visit.ownOrigin, (name) => t("siteTitleOf", { name })) ?? t("siteTitleDefault")} />
      )}
    </div>
  );
}

function Wizard({ checks, siteTitle }: { checks: Check[]; siteTitle: string }) {
  const t = useTranslations("setup");
  const steps = [
    { id: "check", title: t("steps.check"), content: <CheckStep checks={checks} /> },
    { id: "site", title: t("steps.site"), content: <SiteStep siteTitle={siteTitle} />, check: checkOwner },
    { id: "board", title: t("steps.board"), content: <BoardStep /> },
  ];
  const words = { progress: t("steps.label"), back: t("steps.back"), next: t("steps.next") };
  return (
    <Form action={setUpSite} className="grid gap-8">
      <Steps steps={steps} words={words} submit={<SubmitButton>{t("submit")}</SubmitButton>} preview={<Preview siteTitle={siteTitle} />} />
      <Draft name="setup" />
      <TimeZoneOfBrowser name="timeZone" />
    </Form>
  );
}

function CheckStep({ checks }: { checks: Check[] }) {
  const t = useTranslations("setup");
  const tStates = useTranslations("checks.states");
  return (
    <>
      <p className="max-w-prose text-muted">{t("checkText", { warning: tStates("warning") })}</p>
      <CheckList checks={checks} />
      <div className="grid max-w-prose gap-2 text-muted text-sm">
        {databaseKind() === "embedded" && <p>{t.rich("embedded", { code: (text) => <Code>{text}</Code> })}</p>}
        <p>{t("privacy")}</p>
      </div>
    </>
  );
}

function SiteStep({ siteTitle }: { siteTitle: string }) {
  const t = useTranslations("setup");
  const tFields = useTranslations("fields");
  return (
    <>
      <fieldset className="grid max-w-xl gap-6">
        <legend className="mb-5 font-semibold text-lg">{t("site")}</legend>
        <Field
          name="siteTitle"
          label={tFields("siteTitle")}
          hint={t("siteTitleHint")}
          defaultValue={siteTitle}
          autoComplete="off"
          maxLength={MAX_SITE_TITLE}
          required
        />
        <ColorField name="accentColor" label={tFields("accentColor")} hint={t("colorHint")} defaultValue={`#${DEFAULT_ACCENT}`} />
      </fieldset>
      <fieldset className="grid max-w-xl gap-6">
        <legend className="mb-5 pt-4 font-semibold text-lg">{t("you")}</legend>
        {env().SETUP_TOKEN !== undefined && (
          <Field name="setupToken" type="password" label={tFields("setupToken")} hint={t("tokenHint")} autoComplete="off" required />
        )}
        <Field name="name" label={tFields("name")} hint={t("nameHint")} autoComplete="name" maxLength={MAX_DISPLAY_NAME} required />
        <Field name="email" type="email" label={tFields("email")} hint={t("emailHint")} autoComplete="username" required isLiteral />
        <NewPasswordField commonMarks={commonPasswordMarks()} />
        <Checkbox name="blockCommonPasswords" label={tFields("blockCommonPasswords")} hint={t("blockHint")} defaultChecked />
      </fieldset>
    </>
  );
}

function BoardStep() {
  const t = useTranslations("setup");
  const tFields = useTranslations("fields");
  const templates = BOARD_TEMPLATES.map(({ template, color }) => ({
    value: template,
    title: splitEmoji(t(`templates.${template}.name`)).text,
    text: t(`templates.${template}.description`),
    sign: <BoardTile name={t(`templates.${template}.name`)} color={color} />,
  }));
  const choices = [
    ...templates,
    {
      value: "own",
      title: t("templates.own.name"),
      text: t("templates.own.description"),
      sign: <Sign Icon={Plus} />,
      more: <Field name="boardName" label={tFields("boardName")} autoComplete="off" maxLength={MAX_BOARD_NAME} />,
    },
    { value: "none", title: t("templates.none.name"), text: t("templates.none.description"), sign: <Sign Icon={Clock} /> },
  ];
  return (
    <div className="grid max-w-xl gap-6">
      <p className="text-muted">{t("boardHint")}</p>
      <ChoiceCards name="template" label={t("steps.board")} choices={choices} defaultValue="features" />
    </div>
  );
}

function Preview({ siteTitle }: { siteTitle: string }) {
  const t = useTranslations("setup");
  const tSite = useTranslations("site");
  const boards = Object.fromEntries(
    BOARD_TEMPLATES.map(({ template, color }) => [
      template,
      { color, name: t(`templates.${template}.name`), description: t(`templates.${template}.description`) },
    ]),
  );
  return <SetupPreview label={t("preview")} siteTitle={siteTitle} boards={boards} template="features" noPosts={t("noPosts")} action={tSite("signUp")} />;
}

function MailMissing() {
  const t = useTranslations("setup.noMail");
  return (
    <Notice tone="danger">
      <div className="grid gap-4">
        <h2 className="font-semibold text-lg">{t("title")}</h2>
        <p className="text-ink">{t.rich("text", { code: (text) => <Code>{text}</Code> })}</p>
        <dl className="grid gap-3 text-ink">
          {(["outbox", "smtp", "resend"] as const).map((kind) => (
            <div key={kind} className="grid gap-1">
              <dt>{t(`${kind}.when`)}</dt>
              <dd>
                <NamedCode code={t(`${kind}.line`)} name={t(`${kind}.when`)} />
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-ink">{t("then")}</p>
        <div>
          <ButtonLink href="/setup">{t("again")}</ButtonLink>
        </div>
      </div>
    </Notice>
  );
}

/** What the site's address says of its name, such as "Nimbus feedback" for feedback.nimbus.example; null where it says nothing. */
function titleFromHost(origin: string, titleOf: (name: string) => string): string | null {
  const labels = new URL(origin).hostname.split(".");
  const name = labels.at(-2);
  const isName = labels.length > 1 && name !== undefined && /^[a-z][a-z0-9-]+$/.test(name);
  return isName ? titleOf(name.charAt(0).toUpperCase() + name.slice(1)) : null;
}

/** Stands where the other choices show their board. */
function Sign({ Icon }: { Icon: LucideIcon }) {
  return (
    <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg bg-sunken text-muted">
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}
