import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { Card } from "#components/ui/card";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { getBoard } from "#server/boards";
import { page, teamMetadata } from "../../../../pages.tsx";
import { currentViewer, requirePermission } from "../../../../visit.ts";
import { remove } from "../../actions.ts";

type DeleteBoardProps = { params: Promise<{ boardId: string }> };

const boardOf = cache(async (boardId: string) => getBoard(await currentViewer(), boardId));

export const generateMetadata = teamMetadata(async ({ params }: DeleteBoardProps) => {
  const [t, { name }] = await Promise.all([getTranslations("boards"), boardOf((await params).boardId)]);
  return { title: t("deleteNamed", { name }) };
});

/** The last question before a board goes: what exactly, and for how long it can come back. */
export default page(async ({ params }: DeleteBoardProps) => {
  const { boardId } = await params;
  await requirePermission("board:delete", `/dashboard/boards/${boardId}/delete`);
  const board = await boardOf(boardId);
  const [t, tSite] = await Promise.all([getTranslations("boards"), getTranslations("site")]);
  const crumbs = [
    { href: "/dashboard/boards", text: t("title") },
    { href: `/dashboard/boards/${boardId}`, text: board.name },
  ];
  return (
    <>
      <PageHeader title={t.rich("deleteQuestion", { name: () => <bdi>{board.name}</bdi> })} crumbs={crumbs} crumbsLabel={tSite("breadcrumbs")} />
      <Card>
        <Form action={remove}>
          <input type="hidden" name="boardId" value={board.boardId} />
          <p className="max-w-prose">{t("deleteText", { count: board.postCount })}</p>
          <div className="flex flex-wrap gap-3">
            <SubmitButton kind="danger">{t("deleteSubmit", { count: board.postCount })}</SubmitButton>
            <ButtonLink href="/dashboard/boards" kind="secondary">
              {t("keep")}
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
});
