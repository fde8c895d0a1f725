import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, unstable_rethrow } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { ProblemPage } from "#components/problem-page";
import { markMakeshift, setAnswerHeader, setAnswerStatus } from "#lib/answer";
import { AppError } from "#lib/errors";
import { knownError, logFailure } from "#lib/failures";
import { FRONT_HEADERS } from "#lib/visit";
import { newAccountNotice } from "./new-account.tsx";
import { notDoneNotice } from "./not-done-notice.tsx";
import type { SearchParams } from "./urls.ts";
import { currentFrame, requireSetUp } from "./visit.ts";

/**
 * What `export default` of a page takes: leads to the set-up where that is due, and turns whatever `render` throws into a page
 * that says what to do, with the status that goes with it. The pages' `endpoint`. Above it stands what may be said on any page: to who just signed up, and of a button that could do nothing.
 */
export function page<Props>(render: (props: Props) => Promise<ReactNode>, { isForSetUp = false } = {}) {
  return async function answer(props: Props & { searchParams?: SearchParams }): Promise<ReactNode> {
    let notice: ReactNode = null;
    const belowNotice = (content: ReactNode) => (
      <>
        {notice}
        {content}
      </>
    );
    try {
      if (!isForSetUp) await requireSetUp();
      notice = (await notDoneNotice(props.searchParams)) ?? (await newAccountNotice(props.searchParams));
      return belowNotice(await render(props));
    } catch (error) {
      await leadBySeeOther(error);
      unstable_rethrow(error);
      return belowNotice(await problemPage(error));
    }
  };
}

/** What `export const generateMetadata` of a page takes. A page that fails is called after its failure. */
export function pageMetadata<Props>(write: (props: Props) => Promise<Metadata>) {
  return async function generateMetadata(props: Props): Promise<Metadata> {
    try {
      return await write(props);
    } catch (error) {
      unstable_rethrow(error);
      markMakeshift();
      const t = await getTranslations("problems");
      return { title: t(`${kindOf(error)}.title`), robots: { index: false } };
    }
  };
}

/** What a page is called, for the many that need no more. */
export function titled(namespace: string, key = "title") {
  return pageMetadata(async () => ({ title: (await getTranslations(namespace))(key) }));
}

/** `pageMetadata` of a page of the dashboard: to whom it is closed it is called after that. */
export function teamMetadata<Props>(write: (props: Props) => Promise<Metadata>) {
  return pageMetadata(async (props: Props) => {
    const { user, canManage } = await currentFrame();
    if (user && !canManage) throw new AppError("FORBIDDEN", "The dashboard is the team's.");
    return write(props);
  });
}

/** `titled` for a page of the dashboard. */
export function titledForTeam(namespace: string, key?: string) {
  return teamMetadata(titled(namespace, key));
}

const STATUS = { notFound: 404, forbidden: 403, unavailable: 503, failed: 500 } as const;

type ProblemKind = keyof typeof STATUS;

async function problemPage(error: unknown): Promise<ReactNode> {
  const kind = kindOf(error);
  if (!setAnswerStatus(STATUS[kind]) && kind === "notFound") notFound();
  const t = await getTranslations("problems");
  const words = {
    title: t(`${kind}.title`),
    home: kind === "unavailable" ? undefined : t("home"),
    ...(kind === "notFound" ? await notFoundWords() : { text: t(`${kind}.text`) }),
  };
  if (kind === "notFound" || kind === "forbidden") return <ProblemPage {...words} />;
  const retryAfter = knownError(error)?.retryAfterSeconds;
  if (retryAfter) setAnswerHeader("Retry-After", String(retryAfter));
  const requestId = (await headers()).get(FRONT_HEADERS.requestId) ?? "";
  logFailure(error, { requestId, what: "a page could not be made" });
  return <ProblemPage {...words} retry={t(`${kind}.retry`)} clue={t.rich("clue", { code: () => <RequestId id={requestId} /> })} />;
}

/** On a line of its own, to be taken along whole. */
function RequestId({ id }: { id: string }) {
  return <code className="mt-1 block select-all font-mono text-ink">{id}</code>;
}

/** What may be the matter where there is no page: who is signed in need not be told to, nor anybody where nobody can. */
export async function notFoundWords(): Promise<{ text: string; signIn?: string }> {
  const [t, tSite, { user, isSetUp }] = await Promise.all([getTranslations("problems.notFound"), getTranslations("site"), currentFrame()]);
  return user || !isSetUp ? { text: t("text") } : { text: t("textSignedOut"), signIn: tSite("signIn") };
}

/**
 * Where a page that a form was sent to leads elsewhere, it does so by 303. Next's own 307, which it writes into the error that
 * `redirect` throws, would have the browser send the form there, too.
 */
async function leadBySeeOther(error: unknown): Promise<void> {
  const leading = error as { digest?: unknown };
  const isForm = (await headers()).has("content-type");
  if (isForm && typeof leading?.digest === "string") leading.digest = leading.digest.replace(/^(NEXT_REDIRECT;.*;)307;$/, "$1303;");
}

function kindOf(error: unknown): ProblemKind {
  const status = knownError(error)?.status;
  if (status === 404) return "notFound";
  if (status === 403) return "forbidden";
  return status === 503 ? "unavailable" : "failed";
}
