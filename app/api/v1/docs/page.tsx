import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { CurrentPlace } from "#components/current-place";
import { NamedCode } from "#components/named-code";
import { Code } from "#components/ui/code";
import { FactList } from "#components/ui/fact-list";
import { PageHeader } from "#components/ui/page-header";
import { apiReference, type Reference } from "#server/openapi/reference";
import { page, titled } from "../../../pages.tsx";
import { currentSettings, currentSiteUrl } from "../../../visit.ts";
import { CodeLinks, OperationEntry } from "./operation.tsx";

/** What this page is made from. */
const DOCUMENT = "/api/v1/openapi.json";

export const generateMetadata = titled("apiDocs");

/** What programs can do with this site: the OpenAPI document for people, with examples that work here. */
export default page(async () => {
  const [t, { title }, origin] = await Promise.all([getTranslations("apiDocs"), currentSettings(), currentSiteUrl()]);
  const reference = apiReference();
  return (
    <div className="grid gap-8 lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-12">
      <div className="min-w-0 lg:col-start-2">
        <PageHeader title={t("title")} intro={t.rich("intro", { site: () => <bdi>{title}</bdi> })} />
      </div>
      <Contents groups={reference.groups} />
      <div className="grid min-w-0 content-start gap-12 lg:col-start-2">
        <Basics origin={origin} />
        <Authentication origin={origin} />
        {reference.groups.map(({ name, operations }) => (
          <section key={name} id={groupId(name)} aria-labelledby={`${groupId(name)}-title`} className="grid gap-6">
            <h2 id={`${groupId(name)}-title`} lang="en" className="font-semibold text-2xl">
              {name}
            </h2>
            {operations.map((operation) => (
              <OperationEntry key={operation.id} operation={operation} origin={origin} />
            ))}
          </section>
        ))}
        <Errors {...reference} />
      </div>
    </div>
  );
});

/** Beside the page; below its title, folded up, where there is no room. */
function Contents({ groups }: Pick<Reference, "groups">) {
  const t = useTranslations("apiDocs");
  const links = (
    <ul className="max-lg:columns-2xs max-lg:gap-x-5 max-lg:pt-3">
      <ContentsGroup links={(["basics", "auth"] as const).map((id) => ({ id, text: t(`${id}.title`) }))} />
      {groups.map(({ name, operations }) => (
        <ContentsGroup key={name} title={name} links={operations.map(({ id, method, summary }) => ({ id, method, text: summary }))} />
      ))}
      <ContentsGroup links={[{ id: "errors", text: t("errors.title") }]} />
    </ul>
  );
  return (
    <nav
      aria-label={t("navigation")}
      className="more-below min-w-0 lg:sticky lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:top-8 lg:max-h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:overscroll-contain"
    >
      <details className="group/fold rounded-lg border border-line bg-surface px-4 py-2 lg:hidden">
        <summary className="flex min-h-10 items-center gap-2 rounded-md font-semibold text-sm pointer-coarse:min-h-11">
          <ChevronDown aria-hidden="true" className="size-4 text-muted group-open/fold:rotate-180" />
          {t("onThisPage")}
        </summary>
        {links}
      </details>
      <div className="max-lg:hidden">
        {links}
        <CurrentPlace />
      </div>
    </nav>
  );
}

type ContentsGroupProps = { title?: string; links: { id: string; method?: string; text: string }[] };

function ContentsGroup({ title, links }: ContentsGroupProps) {
  return (
    <li className="mb-5 break-inside-avoid">
      {title && (
        <a
          href={`#${groupId(title)}`}
          lang="en"
          className="inline-flex items-center px-2 py-1 font-semibold text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          {title}
        </a>
      )}
      <ul className="grid">
        {links.map(({ id, method, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              lang={method && "en"}
              className="flex min-h-8 items-baseline gap-2 rounded-md px-2 py-1.5 text-muted text-xs hover:bg-sunken hover:text-ink aria-[current]:bg-accent-wash aria-[current]:text-accent-ink pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              {method && <span className="w-14 shrink-0 font-mono">{method}</span>}
              {text}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

function Basics({ origin }: { origin: string }) {
  const t = useTranslations("apiDocs.basics");
  const facts = [
    { name: t("base"), value: <bdi className="font-mono text-sm">{`${origin}/api/v1`}</bdi> },
    {
      name: t("document"),
      value: (
        <>
          <a href={DOCUMENT} className="font-mono text-accent-ink text-sm underline underline-offset-4 hover:decoration-2">
            <bdi>{DOCUMENT}</bdi>
          </a>
          <p className="text-muted text-sm">{t("documentText")}</p>
        </>
      ),
    },
    { name: t("body"), value: t.rich("bodyText", { code: (text) => <Code>{text}</Code> }) },
  ];
  return (
    <section id="basics" className="grid gap-4">
      <h2 className="font-semibold text-2xl">{t("title")}</h2>
      <FactList facts={facts} />
    </section>
  );
}

function Authentication({ origin }: { origin: string }) {
  const t = useTranslations("apiDocs.auth");
  const lines = [`curl ${origin}/api/v1/users/me`, '  -H "Authorization: Bearer $TOKEN"'];
  return (
    <section id="auth" className="grid gap-4">
      <h2 className="font-semibold text-2xl">{t("title")}</h2>
      <p className="max-w-prose">{t.rich("text", { code: (text) => <Code>{text}</Code> })}</p>
      <NamedCode code={lines.join(" \\\n")} name={t("title")} />
    </section>
  );
}

function Errors({ codes, common, failure }: Pick<Reference, "codes" | "common" | "failure">) {
  const t = useTranslations("apiDocs.errors");
  const kinds = (["any", "write", "token", "needed"] as const).map((kind) => ({ name: t(`of.${kind}`), value: <CodeLinks codes={common[kind]} /> }));
  return (
    <section id="errors" className="grid gap-4">
      <h2 className="font-semibold text-2xl">{t("title")}</h2>
      <p className="max-w-prose">{t("text")}</p>
      <NamedCode code={JSON.stringify(failure, null, 2)} name={t("title")} />
      <p className="max-w-prose">{t("common")}</p>
      <FactList facts={kinds} />
      <table className="w-full text-start text-sm">
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            <th className="py-2 pe-4 text-start font-medium">{t("code")}</th>
            <th className="whitespace-nowrap py-2 pe-4 text-start font-medium">{t("status")}</th>
            <th className="py-2 text-start font-medium max-sm:hidden">{t("meaning")}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {codes.map(({ code, statuses, meaning }) => (
            <tr key={code} id={`code-${code}`}>
              <th scope="row" className="py-2.5 pe-4 text-start align-top font-normal">
                <code className="break-all text-xs sm:whitespace-nowrap">{code}</code>
                <p className="mt-1 text-muted sm:hidden">
                  <bdi lang="en">{meaning}</bdi>
                </p>
              </th>
              <td className="whitespace-nowrap py-2.5 pe-4 align-top tabular-nums">
                <bdi dir="ltr">{statuses.join(", ")}</bdi>
              </td>
              <td className="py-2.5 align-top max-sm:hidden">
                <bdi lang="en">{meaning}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function groupId(name: string): string {
  return `group-${name.toLowerCase()}`;
}
