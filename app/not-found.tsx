import { useTranslations } from "next-intl";
import { ProblemPage } from "#components/problem-page";
import { titled } from "./pages.tsx";

export const generateMetadata = titled("problems.notFound");

/** What Next itself shows for an address without a page. */
export default function NotFound() {
  const t = useTranslations("problems");
  return <ProblemPage title={t("notFound.title")} text={t("notFound.text")} home={t("home")} />;
}
