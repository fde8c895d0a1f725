import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Outcome } from "#components/ui/outcome";
import { queryOf, type SearchParams } from "./urls.ts";

/** What the address says where `submitButton` leads back to. */
export const NOT_DONE = "not-done";

/** Says on whichever page that is that what a button asked for could not be done. */
export async function notDoneNotice(searchParams: SearchParams | undefined): Promise<ReactNode> {
  const { notice } = searchParams ? await queryOf(searchParams) : {};
  if (notice !== NOT_DONE) return null;
  const t = await getTranslations("errors");
  // Anew with each answer: what could not be done twice is said twice.
  return (
    <Outcome key={crypto.randomUUID()} tone="danger">
      {t("notDone")}
    </Outcome>
  );
}
