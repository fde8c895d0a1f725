import { getTranslations } from "next-intl/server";
import { ProblemPage } from "#components/problem-page";
import { notFoundWords, titled } from "./pages.tsx";

export const generateMetadata = titled("problems.notFound");

/** What Next itself shows for an address without a page. */
export default async function NotFound() {
  const t = await getTranslations("problems");
  return <ProblemPage title={t("notFound.title")} {...(await notFoundWords())} home={t("home")} />;
}
