import { getTranslations } from "next-intl/server";
import type { SearchWords } from "#components/ui/search-box";

/** What a field says that looks for boards. */
export async function boardSearchWords(): Promise<SearchWords> {
  const t = await getTranslations("search");
  return { label: t("label"), placeholder: t("placeholder"), submit: t("submit") };
}
