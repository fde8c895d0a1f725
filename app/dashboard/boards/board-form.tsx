import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { Checkbox, ColorField, Field } from "#components/ui/field";
import { Form, type FormAction } from "#components/ui/form";
import type { Board } from "#server/boards";

type BoardFormProps = {
  action: FormAction;
  /** The board to change; none for a new one. */
  board?: Board;
  color: string;
  /** The form's buttons. */
  children: ReactNode;
};

/** A board's name, address, colour, and who may see it. */
export function BoardForm({ action, board, color, children }: BoardFormProps) {
  const t = useTranslations("boards.form");
  const tFields = useTranslations("fields");
  return (
    <Card>
      <Form action={action} className="grid max-w-2xl gap-6">
        {board && <input type="hidden" name="boardId" value={board.boardId} />}
        <Field name="name" label={tFields("name")} defaultValue={board?.name} autoComplete="off" maxLength={60} required />
        <Field
          name="url"
          label={board ? tFields("url") : t("urlOptional")}
          hint={board ? t("urlHint") : t("newUrlHint")}
          prefix="/boards/"
          defaultValue={board?.url}
          autoComplete="off"
          maxLength={80}
          required={board !== undefined}
          isLiteral
        />
        <ColorField name="color" label={tFields("color")} hint={t("colorHint")} defaultValue={`#${color}`} />
        <Checkbox name="isPrivate" label={tFields("isPrivate")} hint={t("privateHint")} defaultChecked={board?.isPrivate} />
        <div className="flex flex-wrap gap-3">{children}</div>
      </Form>
    </Card>
  );
}
