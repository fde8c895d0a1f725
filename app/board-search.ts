import { getTranslations } from "next-intl/server";
import type { SearchWords } from "#components/ui/search-box";
import { boardSearch } from "#server/boards/search";
import { queryOf, readableBy, type SearchParams } from "./urls.ts";

/** What a field says that looks for boards. */
export async function boardSearchWords(): Promise<SearchWords> {
  const t = await getTranslations("search");
  return { label: t("label"), placeholder: t("placeholder"), submit: t("submit") };
}

/** What is looked for, as the address says. */
export async function searchOf(searchParams: SearchParams) {
  const query = readableBy(boardSearch, await queryOf(searchParams));
  return { q: boardSearch.parse(query).q, page: query.page };
}
