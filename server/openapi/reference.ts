import { ERROR_STATUS, type ErrorCode } from "#lib/errors";
import { openApiDocument } from "../openapi.ts";
import { CODE_MEANINGS } from "./codes.ts";
import { COMMON_ERRORS, usualStatuses } from "./failures.ts";
import { exampleBody, exampleOf, type Field, fieldsOf, type Schema, type Schemas, typeOf } from "./schemas.ts";

type Content = { "application/json"?: { schema: Schema } };
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema: Schema };
type Answer = { description: string; content?: Content; headers?: Record<string, { description?: string }> };
type DocumentedOperation = {
  summary: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
};
type Document = { paths: Record<string, Record<string, DocumentedOperation>>; components: { schemas: Schemas } };

/** One thing that programs can do, as people read of it. */
export type Operation = {
  /** Its place on the page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  token: "needed" | "optional" | "none";
  parameters: (Field & { in: string })[];
  fields: Field[];
  /** A body to send; null where none is read. */
  body: object | null;
  answers: { status: string; description: string; example: unknown; headers: { name: string; description: string }[] }[];
  /** Beside those that all operations of its kind share. */
  failures: { status: string; codes: string[] }[];
};

export type Reference = {
  groups: { name: string; operations: Operation[] }[];
  /** Each with every status that it comes with. */
  codes: { code: string; statuses: number[]; meaning: string }[];
  common: typeof COMMON_ERRORS;
  /** What every failure looks like. */
  failure: unknown;
};

let reference: Reference | undefined;

/** The OpenAPI document as people read it: the same operations, grouped, with examples. */
export function apiReference(): Reference {
  reference ??= writeReference(JSON.parse(JSON.stringify(openApiDocument())) as Document);
  return reference;
}

function writeReference({ paths, components: { schemas } }: Document): Reference {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ group: described.tags?.[0] ?? "", operation: toOperation(method, path, described, schemas) })),
  );
  const groups = [...Map.groupBy(all, ({ group }) => group)].map(([name, members]) => ({ name, operations: members.map(({ operation }) => operation) }));
  const failures = all.flatMap(({ operation }) => operation.failures);
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => {
    const unusual = failures.filter(({ codes }) => codes.includes(code)).map(({ status }) => Number(status));
    return { code, statuses: [...new Set([...usualStatuses(code), ...unusual])].sort(), meaning: CODE_MEANINGS[code] };
  });
  return { groups, codes, common: COMMON_ERRORS, failure: exampleOf({ $ref: "#/components/schemas/Error" }, schemas) };
}

function toOperation(method: string, path: string, described: DocumentedOperation, schemas: Schemas): Operation {
  const { summary, security = [], parameters = [], requestBody, responses } = described;
  const body = requestBody?.content["application/json"]?.schema;
  const entries = Object.entries(responses);
  return {
    id: `${method}${path.replace(/[^a-z]+/gi, "-")}`.replace(/-$/, "").toLowerCase(),
    method: method.toUpperCase(),
    path,
    summary,
    token: tokenOf(security),
    parameters: parameters.map(({ in: place, name, required = false, description = "", schema }) => ({
      in: place,
      name,
      type: typeOf(schema, schemas),
      isRequired: required || place === "path",
      description,
    })),
    fields: body ? fieldsOf(body, schemas) : [],
    body: body ? exampleBody(body, schemas, path.startsWith("/boards") ? {} : { name: "Ada" }) : null,
    answers: entries.filter(([status]) => Number(status) < 400).map(([status, answer]) => toAnswer(status, answer, schemas)),
    failures: entries.filter(([status]) => Number(status) >= 400).flatMap(([status, { description }]) => failuresOf(status, description)),
  };
}

function tokenOf(security: object[]): Operation["token"] {
  const needs = security.map((scheme) => Object.keys(scheme).length > 0);
  if (needs.length === 0) return "none";
  return needs.every(Boolean) ? "needed" : "optional";
}

function toAnswer(status: string, { description, content, headers = {} }: Answer, schemas: Schemas): Operation["answers"][number] {
  const schema = content?.["application/json"]?.schema;
  const named = Object.entries(headers).map(([name, { description: words = "" }]) => ({ name, description: words }));
  return { status, description, example: schema ? exampleOf(schema, schemas) : null, headers: named };
}

const COMMON = new Set<string>(Object.values(COMMON_ERRORS).flat());

/** What anything of its kind can meet with its usual status needs no mention at each operation. */
function failuresOf(status: string, description: string): Operation["failures"] {
  const isOwn = (code: string) => !(COMMON.has(code) && usualStatuses(code as ErrorCode).includes(Number(status)));
  const codes = description.split(", ").filter(isOwn);
  return codes.length > 0 ? [{ status, codes }] : [];
}
