import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import type { FormState } from "#components/ui/form-state";
import type { AppError } from "#lib/errors";
import { knownError } from "#lib/http";
import { log } from "#lib/log";
import { FRONT_HEADERS } from "#lib/visit";

// Never sent back to a browser, however a form failed.
const SECRET_FIELDS = ["password", "current", "new", "setupToken"];

/**
 * Runs what a form is for. Null when it worked; else what the form is to show, with everything that was typed but secrets.
 * Redirects belong behind it: Next throws them.
 */
export async function attempt(formData: FormData, work: () => Promise<unknown>): Promise<FormState | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return failedState(formData, error);
  }
}

/** The texts of a form by field name. A field that the browser did not send (an unchecked box) is absent. */
export function textsOf(formData: FormData): Record<string, string> {
  const texts = [...formData].filter((entry): entry is [string, string] => typeof entry[1] === "string" && !entry[0].startsWith("$"));
  return Object.fromEntries(texts);
}

async function failedState(formData: FormData, error: unknown): Promise<FormState> {
  const known = knownError(error);
  const requestId = (await headers()).get(FRONT_HEADERS.requestId);
  if (!known || known.status >= 500) log.error({ err: known?.cause ?? error, req_id: requestId }, "a form failed");
  const typed = Object.entries(textsOf(formData)).filter(([name]) => !SECRET_FIELDS.includes(name));
  const message = known ? await messageOf(known) : (await getTranslations("errors"))("unexpected", { requestId: requestId ?? "" });
  const field = known?.field ?? fieldOfCode(known?.code);
  return { attempt: Date.now(), message, code: known?.code, field, values: Object.fromEntries(typed) };
}

async function messageOf(error: AppError): Promise<string> {
  const t = await getTranslations("errors");
  const fieldKey = `fields.${error.field?.replaceAll(".", "_")}`;
  if (error.code === "VALIDATION_ERROR" && t.has(fieldKey as never)) return t(fieldKey as never);
  return t.has(error.code as never) ? t(error.code as never) : error.message;
}

function fieldOfCode(code: string | undefined): string | undefined {
  if (code === "EMAIL_INVALID" || code === "USER_EXISTS") return "email";
  return code?.startsWith("PASSWORD_") ? "password" : undefined;
}
