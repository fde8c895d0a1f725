import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { boardPath } from "#components/board-list";
import { BoardName } from "#components/board-name";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { getBoard } from "#server/boards";
import { orNotFound, requirePermission } from "../../../visit.ts";
import { update } from "../actions.ts";
import { BoardForm } from "../board-form.tsx";

type EditBoardProps = { params: Promise<{ boardId: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("boards");
  return { title: t("editTitle") };
}

/** Changing a board. */
export default async function EditBoardPage({ params }: EditBoardProps) {
  const { boardId } = await params;
  const viewer = await requirePermission("board:update", `/dashboard/boards/${boardId}`);
  const board = await orNotFound(getBoard(viewer, boardId));
  const [t, tSite] = await Promise.all([getTranslations("boards"), getTranslations("site")]);
  return (
    <>
      <PageHeader title={<BoardName name={board.name} color={board.color} />} crumbs={[{ href: "/dashboard/boards", text: t("title") }]} crumbsLabel={tSite("breadcrumbs")}>
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
      <div>
        <ButtonLink href={`/dashboard/boards/${board.boardId}/delete`} kind="quiet">
          {t("deleteThis")}
        </ButtonLink>
      </div>
    </>
  );
}
