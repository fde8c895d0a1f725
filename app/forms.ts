import { refresh } from "next/cache";
import { headers } from "next/headers";
import { redirect, unstable_rethrow } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ZodError } from "zod";
import type { FormState } from "#components/ui/form";
import { colorCodeName, colorOfCode } from "#components/ui/own-color";
import type { AppError } from "#lib/errors";
import { knownError, logFailure } from "#lib/failures";
import { nextPath } from "#lib/next-path";
import { FRONT_HEADERS } from "#lib/visit";
import { NOT_DONE } from "./not-done-notice.tsx";
import { withNotice } from "./urls.ts";

// Never sent back: what is secret is typed again where the browser does not keep it itself.
const SECRET_FIELDS = /^(password|setupToken|token)\b/;
// React's own hidden fields.
const REACT_FIELD = /^\$ACTION/;

type Translator = Awaited<ReturnType<typeof getTranslations<never>>>;

/**
 * Does what a form asks for and leads to the address that `act` returns, or shows the state that it returns instead. Where that
 * fails, the form comes back with what was typed and what to do about it: known failures by their code in `messages`, unforeseen
 * ones by the request's id in the log.
 */
export async function submitForm(form: FormData, act: () => Promise<string | FormState>): Promise<FormState> {
  let next: string | FormState;
  try {
    next = await act();
  } catch (error) {
    unstable_rethrow(error);
    const { fieldErrors, ...state } = await explain(error);
    return { ...state, fieldErrors: fieldErrors && inOrderOf(form, fieldErrors), ...(await typedBefore(form, fieldErrors)) };
  }
  if (typeof next !== "string") return { ...next, ...(await typedBefore(form, next.fieldErrors)) };
  // What surrounds the page may show what was just changed: the site's title, who is signed in.
  refresh();
  redirect(next);
}

/**
 * Does what a form asks for that has no place for words. Where the site cannot do it just now, the page that the form stood on is shown again, and says so.
 * @throws whatever nobody foresaw
 */
export async function submitButton(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    unstable_rethrow(error);
    if (knownError(error)?.status !== 503) throw error;
    await logFailedForm(error);
    redirect(withNotice(await pageOfForm(), NOT_DONE));
  }
}

/**
 * Without JavaScript leads back to where the form stood. With it the page is shown anew as it is: a redirect would make all of it anew, with styles whose nonce the browser does not
 * take. But where the address still says that something could not be done it leads on all the same: that is old news now.
 */
export async function stayOnPage(): Promise<void> {
  const isOldNews = (await addressOfForm())?.searchParams.get("notice") === NOT_DONE;
  if (isOldNews || !(await headers()).has("next-action")) redirect(await pageOfForm());
}

async function pageOfForm(): Promise<string> {
  const address = await addressOfForm();
  if (address?.searchParams.get("notice") === NOT_DONE) address.searchParams.delete("notice");
  return nextPath(address && `${address.pathname}${address.search}`);
}

/** The address of the page that a form stood on, as the browser says it; the security policy has it say so to this site alone. */
async function addressOfForm(): Promise<URL | null> {
  return URL.parse((await headers()).get("referer") ?? "");
}

/** The text that was typed into a field; empty when it was not sent. */
export function textOf(form: FormData, name: string): string {
  // Whoever calls an action by its id may send anything.
  const value = form instanceof FormData ? form.get(name) : null;
  return typeof value === "string" ? value : "";
}

/** The same, for a field that may be left empty. */
export function optionalTextOf(form: FormData, name: string): string | undefined {
  return textOf(form, name).trim() || undefined;
}

/** Whether a box is ticked, or the button of this name was pressed. */
export function isTicked(form: FormData, name: string): boolean {
  return form instanceof FormData && form.has(name);
}

/** The bytes of a file that was chosen; none where none was, for which a browser sends an empty one. */
export async function fileOf(form: FormData, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = form instanceof FormData ? form.get(name) : null;
  return file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
}

/** The six digits of a color field; what was typed as its code where that is none, to be refused. */
export function colorOf(form: FormData, name: string): string {
  const codeName = colorCodeName(name);
  const isWrong = isTicked(form, codeName) && !colorOfCode(textOf(form, codeName));
  return textOf(form, isWrong ? codeName : name).replace(/^#/, "");
}

async function explain(error: unknown): Promise<FormState> {
  const t = await getTranslations();
  if (error instanceof ZodError) return explainFields(t, error);
  const known = knownError(error);
  const requestId = await logFailedForm(error);
  if (!known) return { error: t("errors.unexpected", { requestId }) };
  if (known.status === 503) return { error: t("errors.unavailable") };
  const message = messageOf(t, known);
  return { error: message, code: known.code, fieldErrors: known.field ? { [known.field]: message } : undefined };
}

/** What is wrong, as the form asks for it from top to bottom; what it did not send comes last. */
function inOrderOf(form: FormData, fieldErrors: Record<string, string>): Record<string, string> {
  const asked = form instanceof FormData ? [...form.keys()] : [];
  const placeOf = (field: string) => (asked.includes(field) ? asked.indexOf(field) : asked.length);
  return Object.fromEntries(Object.entries(fieldErrors).toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}

/** Returns the id of the request, by which the line is found. */
async function logFailedForm(error: unknown): Promise<string> {
  const requestId = (await headers()).get(FRONT_HEADERS.requestId) ?? "";
  logFailure(error, { requestId, what: "a form could not be handled" });
  return requestId;
}

/** Every field that is wrong, not only the first: so that one look is enough. */
function explainFields(t: Translator, error: ZodError): FormState {
  const fieldErrors: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = issue.path.join(".");
    fieldErrors[field] ??= problemOf(t, field, issue);
  }
  return { error: t("errors.fields", { count: Object.keys(fieldErrors).length }), fieldErrors };
}

function problemOf(t: Translator, field: string, issue: ZodError["issues"][number]): string {
  const { code, problem, ...values } = (issue.code === "custom" && issue.params) || {};
  if (t.has(`errors.${code}`)) return t(`errors.${code}`);
  const label = t.has(`fields.${field}`) ? t(`fields.${field}`) : field;
  return t.has(`errors.problems.${problem}`) ? t(`errors.problems.${problem}`, { label, ...values }) : t("errors.field", { label });
}

function messageOf(t: Translator, { code, message, retryAfterSeconds = 0 }: AppError): string {
  return t.has(`errors.${code}`) ? t(`errors.${code}`, { minutes: Math.ceil(retryAfterSeconds / 60) }) : message;
}

/** What a form shows of what was typed into it; of a secret, unless that is what was wrong, that it is to be typed again. */
async function typedBefore(form: FormData, fieldErrors: FormState["fieldErrors"]): Promise<Pick<FormState, "values" | "again">> {
  const t = await getTranslations("fields");
  const typed = [...(form instanceof FormData ? form : [])].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const secrets = typed.filter(([name, text]) => SECRET_FIELDS.test(name) && text && !fieldErrors?.[name]);
  return {
    values: Object.fromEntries(typed.filter(([name]) => !SECRET_FIELDS.test(name) && !REACT_FIELD.test(name))),
    again: secrets.length > 0 ? Object.fromEntries(secrets.map(([name]) => [name, t("again")])) : undefined,
  };
}
