import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { NamedCode } from "#components/named-code";
import { Badge } from "#components/ui/badge";
import type { Operation } from "#server/openapi/reference";

const METHOD_TONES: Record<string, ComponentProps<typeof Badge>["tone"]> = { POST: "success", PATCH: "warning", PUT: "warning", DELETE: "danger" };

/** One operation: what it does and takes on one side, a request and its answer on the other. */
export function OperationEntry({ operation, origin }: { operation: Operation; origin: string }) {
  const { id, method, path, summary, token } = operation;
  const t = useTranslations("apiDocs");
  const hasDetails = [operation.parameters, operation.fields, operation.failures].some((rows) => rows.length > 0);
  return (
    <article id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-4 gap-5 rounded-lg border border-line bg-surface p-5 shadow-low sm:p-6">
      <header className="grid gap-2">
        <h3 id={`${id}-title`} className="font-semibold text-lg">
          <bdi lang="en">{summary}</bdi>
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={METHOD_TONES[method]}>{method}</Badge>
          <bdi className="font-mono text-sm">{`/api/v1${path}`}</bdi>
          <span className="text-muted text-xs sm:ms-auto">{t(`auth.${token}`)}</span>
        </p>
      </header>
      <div className={`grid gap-6 ${hasDetails ? "xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]" : ""}`}>
        {hasDetails && (
          <div className="grid min-w-0 content-start gap-5">
            {operation.parameters.length > 0 && <Fields title={t("parameters")} fields={operation.parameters} />}
            {operation.fields.length > 0 && <Fields title={t("body")} fields={operation.fields} />}
            {operation.failures.length > 0 && <Failures failures={operation.failures} />}
          </div>
        )}
        <div className="grid min-w-0 content-start gap-5">
          <Request operation={operation} origin={origin} />
          {operation.answers.map((answer) => (
            <Answer key={answer.status} answer={answer} operation={operation} />
          ))}
        </div>
      </div>
    </article>
  );
}

type FieldRow = Operation["fields"][number] & { in?: string };

function Fields({ title, fields }: { title: string; fields: FieldRow[] }) {
  const t = useTranslations("apiDocs");
  return (
    <div className="grid gap-2">
      <table className="w-full text-sm">
        <caption className="pb-2 text-start font-medium">{title}</caption>
        <thead className="sr-only">
          <tr>
            <th>{t("field")}</th>
            <th>{t("description")}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-line border-y">
          {fields.map(({ name, type, isRequired, description, in: place }) => (
            <tr key={name} className="grid gap-0.5 py-2.5">
              <th scope="row" className="flex flex-wrap items-baseline gap-x-2.5 text-start font-normal">
                <code className="font-medium text-xs">{name}</code>
                {isRequired && <span className="text-muted text-xs">{t("required")}</span>}
              </th>
              <td>
                <code className="text-muted text-xs">{type}</code>
                {place && <span className="text-muted text-xs"> {t(place === "path" ? "inPath" : "inQuery")}</span>}
                {description && (
                  <p className="text-sm">
                    <bdi lang="en">{description}</bdi>
                  </p>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Failures({ failures }: Pick<Operation, "failures">) {
  const t = useTranslations("apiDocs");
  return (
    <div className="grid gap-2">
      <h4 className="font-medium text-sm">{t("failures")}</h4>
      <ul className="grid gap-1 text-xs">
        {failures.map(({ status, codes }) => (
          <li key={status} className="flex gap-3">
            <span className="w-8 shrink-0 py-1 text-muted tabular-nums">{status}</span>
            <CodeLinks codes={codes} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** To what each code means. */
export function CodeLinks({ codes }: { codes: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-3 text-xs">
      {codes.map((code) => (
        <a
          key={code}
          href={`#code-${code}`}
          className="inline-flex min-h-7 items-center break-all font-mono pointer-coarse:min-h-11 underline decoration-line-strong underline-offset-4 hover:decoration-2"
        >
          {code}
        </a>
      ))}
    </span>
  );
}

function Request({ operation, origin }: { operation: Operation; origin: string }) {
  const t = useTranslations("apiDocs");
  return (
    <div className="grid gap-2">
      <h4 className="font-medium text-sm">{t("request")}</h4>
      <NamedCode code={curl(operation, origin)} name={operation.summary} />
    </div>
  );
}

function Answer({ answer: { status, description, example, headers }, operation }: { answer: Operation["answers"][number]; operation: Operation }) {
  const t = useTranslations("apiDocs");
  const name = `${operation.summary}, ${t("answer")} ${status}`;
  return (
    <div className="grid gap-2">
      <h4 className="flex flex-wrap items-baseline gap-2 font-medium text-sm">
        {t("answer")} <span className="tabular-nums">{status}</span>
        <bdi lang="en" className="font-normal text-muted text-xs">
          {description}
        </bdi>
      </h4>
      {example === null ? <p className="text-muted text-sm">{t("emptyAnswer")}</p> : <NamedCode code={JSON.stringify(example, null, 2)} name={name} />}
      {headers.length > 0 && (
        <dl className="grid gap-1 text-xs">
          {headers.map(({ name, description: words }) => (
            <div key={name} lang="en" className="flex flex-wrap gap-x-2">
              <dt className="whitespace-nowrap font-mono">
                <bdi>{name}</bdi>
              </dt>
              <dd className="text-muted">
                <bdi>{words}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** A line to paste into a shell. What stands in the path is an example, and the token a variable of the shell's. */
function curl({ method, path, token, body }: Operation, origin: string): string {
  const address = `${origin}/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`)}`;
  const quoted = address.includes("$") ? `"${address}"` : address;
  const parts = [
    ...(method === "GET" ? [`curl ${quoted}`] : [`curl -X ${method}`, quoted]),
    token === "needed" && '-H "Authorization: Bearer $TOKEN"',
    body && '-H "Content-Type: application/json"',
    body && `-d '${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}'`,
  ];
  return parts.filter(Boolean).join(" \\\n  ");
}
