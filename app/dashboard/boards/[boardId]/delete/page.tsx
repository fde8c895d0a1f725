import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Card } from "#components/ui/card";
import { Form } from "#components/ui/form";
import { ButtonLink } from "#components/ui/link";
import { PageHeader } from "#components/ui/page-header";
import { SubmitButton } from "#components/ui/submit-button";
import { getBoard } from "#server/boards";
import { orNotFound, requirePermission } from "../../../../visit.ts";
import { remove } from "../../actions.ts";

type DeleteBoardProps = { params: Promise<{ boardId: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("boards");
  return { title: t("deleteThis") };
}

/** The last question before a board goes: what exactly, and for how long it can come back. */
export default async function DeleteBoardPage({ params }: DeleteBoardProps) {
  const { boardId } = await params;
  const viewer = await requirePermission("board:delete", `/dashboard/boards/${boardId}/delete`);
  const board = await orNotFound(getBoard(viewer, boardId));
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
}
