import { getTranslations } from "next-intl/server";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { suggestColor } from "#server/boards";
import { page, titledForTeam } from "../../../pages.tsx";
import { requirePermission } from "../../../visit.ts";
import { create } from "../actions.ts";
import { BoardForm } from "../board-form.tsx";

export const generateMetadata = titledForTeam("boards", "create");

/** Making a board. Its color is suggested, so that boards differ without anybody's effort. */
export default page(async () => {
  await requirePermission("board:create", "/dashboard/boards/new");
  const [t, tSite, color] = await Promise.all([getTranslations("boards"), getTranslations("site"), suggestColor()]);
  return (
    <>
      <PageHeader title={t("create")} crumbs={[{ href: "/dashboard/boards", text: t("title") }]} crumbsLabel={tSite("breadcrumbs")} />
      <BoardForm action={create} color={color}>
        <SubmitButton>{t("form.create")}</SubmitButton>
        <ButtonLink href="/dashboard/boards" kind="secondary">
          {t("cancel")}
        </ButtonLink>
      </BoardForm>
    </>
  );
});
