import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer } from "./client.ts";

type Operation = {
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: Record<string, unknown> } }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};

/** The OpenAPI document as the tests read it. */
export type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };

export type Contract = {
  document: Document;
  /** Every operation that is written down, with an example of its path. */
  operations: { method: string; template: string; path: string; operation: Operation }[];
  /** How `answer` departs from what the document says of `method` on `path`; empty when it does not. */
  problems(method: string, path: string, answer: Answer): string[];
};

const DOCUMENT = "openapi";
const NO_SUCH_ID = "0190a8a0-0000-7000-8000-00000000dead";

let contract: Promise<Contract> | undefined;

/** The contract that the server at `url` publishes, asked for once. */
export function loadContract(url: string): Promise<Contract> {
  contract ??= fetch(`${url}/api/v1/openapi.json`).then(async (response) => createContract((await response.json()) as Document));
  return contract;
}

function createContract(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), template, path: template.replace(/\{\w+\}/g, NO_SUCH_ID), operation })),
  );

  function problems(method: string, path: string, answer: Answer): string[] {
    const template = Object.keys(document.paths).find((candidate) => matches(candidate, path));
    if (path.split("?")[0] === "/openapi.json") return [];
    if (!template) return isError(answer, 404, "NOT_FOUND") ? [] : ["An unknown path answers 404 NOT_FOUND"];
    if (method === "OPTIONS") return answer.status === 204 ? [] : ["OPTIONS answers 204"];
    const operation = document.paths[template]?.[method === "HEAD" ? "get" : method.toLowerCase()];
    if (!operation)
      return (isError(answer, 405, "METHOD_NOT_ALLOWED") || method === "HEAD") && answer.headers.allow ? [] : ["A wrong method answers 405 with Allow"];
    const documented = operation.responses[answer.status];
    if (!documented) return [`The status ${answer.status} is not documented`];
    if (!documented.content || method === "HEAD") return answer.text === "" ? [] : ["The body is to be empty"];
    if (answer.headers["content-type"] !== "application/json") return [`The content type is ${answer.headers["content-type"]}`];
    const place = ["paths", template, method.toLowerCase(), "responses", String(answer.status), "content", "application/json", "schema"];
    const validate = ajv.getSchema(`${DOCUMENT}#/${place.map(escapePointer).join("/")}`) as ValidateFunction;
    return validate(answer.body) ? [] : [ajv.errorsText(validate.errors)];
  }

  return { document, operations, problems };
}

function matches(template: string, path: string): boolean {
  const [bare = ""] = path.split("?");
  const pattern = template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+");
  return isText(bare) && new RegExp(`^${pattern}/?$`).test(bare.replace(/\/{2,}/g, "/"));
}

/** Whether a path is spelled as one can be: what is not (`%zz`, `%00`) is the address of nothing, also where an id would stand. */
function isText(path: string): boolean {
  try {
    return !/[\0\\]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

function isError(answer: Answer, status: number, code: string): boolean {
  return answer.status === status && (answer.text === "" || (answer.body.code === code && Object.keys(answer.body).sort().join() === "code,message"));
}

// RFC 6901 §3, percent-encoded for use in a URI fragment (§6).
function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
