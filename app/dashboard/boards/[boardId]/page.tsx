import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { getBoard } from "#server/boards";
import { boardPath } from "#server/boards/urls";
import { page, teamMetadata } from "../../../pages.tsx";
import { currentViewer, requirePermission } from "../../../visit.ts";
import { DangerCard } from "../../danger-card.tsx";
import { update } from "../actions.ts";
import { BoardForm } from "../board-form.tsx";

type EditBoardProps = { params: Promise<{ boardId: string }> };

const boardOf = cache(async (boardId: string) => getBoard(await currentViewer(), boardId));

export const generateMetadata = teamMetadata(async ({ params }: EditBoardProps) => {
  const [t, { name }] = await Promise.all([getTranslations("boards"), boardOf((await params).boardId)]);
  return { title: t("editNamed", { name }) };
});

/** Changing a board. */
export default page(async ({ params }: EditBoardProps) => {
  const { boardId } = await params;
  await requirePermission("board:update", `/dashboard/boards/${boardId}`);
  const board = await boardOf(boardId);
  const [t, tSite] = await Promise.all([getTranslations("boards"), getTranslations("site")]);
  return (
    <>
      <PageHeader
        title={t.rich("editTitle", { name: () => <bdi>{board.name}</bdi> })}
        crumbs={[{ href: "/dashboard/boards", text: t("title") }]}
        crumbsLabel={tSite("breadcrumbs")}
      >
        <ButtonLink href={boardPath(board)} kind="secondary">
          {t("view")}
        </ButtonLink>
      </PageHeader>
      <BoardForm action={update} board={board} color={board.color}>
        <SubmitButton>{t("form.save")}</SubmitButton>
        <ButtonLink href="/dashboard/boards" kind="secondary">
          {t("cancel")}
        </ButtonLink>
      </BoardForm>
      <DangerCard id="delete" title={t("deleteThis")} text={t("deleteHint")}>
        <ButtonLink href={`/dashboard/boards/${board.boardId}/delete`} kind="outlined-danger" aria-label={t("deleteNamed", { name: board.name })}>
          {t("delete")}
        </ButtonLink>
      </DangerCard>
    </>
  );
});
