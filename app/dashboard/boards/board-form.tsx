import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { BoardFacts } from "#components/board-list";
import { PrivateBadge } from "#components/private-badge";
import { Card } from "#components/ui/card";
import { Checkbox, Field, TextArea } from "#components/ui/field";
import { Form, type FormAction } from "#components/ui/form";
import { SwatchField } from "#components/ui/swatch-field";
import { UnsavedGuard } from "#components/ui/unsaved-guard";
import { COLORS } from "#lib/colors";
import { leadingEmoji } from "#lib/emoji";
import { plainTextOf } from "#lib/markdown";
import { type Board, MAX_BOARD_DESCRIPTION, MAX_BOARD_NAME } from "#server/boards";
import { MAX_BOARD_URL } from "#server/boards/urls";
import { AddressCheck } from "./address-check.tsx";
import { BoardPreview } from "./board-preview.tsx";
import { BOARD_EMOJI } from "./emoji.ts";
import { EmojiField } from "./emoji-field.tsx";

type BoardFormProps = {
  action: FormAction;
  /** The board to change; none for a new one. */
  board?: Board;
  color: string;
  /** The form's buttons. */
  children: ReactNode;
};

/** A board's name, address, color, and who may see it; beside it, how it will look. */
export function BoardForm({ action, board, color, children }: BoardFormProps) {
  const t = useTranslations("boards.form");
  const tSettings = useTranslations("settings");
  const { name = "", description = "", isPrivate = false, postCount = 0, lastPostAt = null } = board ?? {};
  return (
    <Form action={action} className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_18rem] [&>[role=alert]]:order-first [&>[role=alert]]:col-span-full">
      <Card>
        <div className="grid max-w-2xl gap-6">
          {board && <input type="hidden" name="boardId" value={board.boardId} />}
          <UnsavedGuard question={tSettings("unsaved")} />
          <BoardFields board={board} color={color} />
          <div className="flex flex-wrap gap-3">{children}</div>
        </div>
      </Card>
      <BoardPreview
        board={{ name, description: plainTextOf(description), isPrivate, color }}
        badge={<PrivateBadge />}
        facts={<BoardFacts board={{ postCount, lastPostAt }} />}
        words={{ title: t("preview"), privateTitle: t("privatePreview"), noName: t("previewName") }}
      />
    </Form>
  );
}

function BoardFields({ board, color }: Pick<BoardFormProps, "board" | "color">) {
  const t = useTranslations("boards.form");
  const tFields = useTranslations("fields");
  const { name = "", description, isPrivate } = board ?? {};
  return (
    <>
      <Field name="name" label={tFields("name")} defaultValue={name} autoComplete="off" maxLength={MAX_BOARD_NAME} required>
        <EmojiField emoji={BOARD_EMOJI} defaultValue={leadingEmoji(name)} words={{ label: t("emoji"), none: t("noEmoji") }} />
      </Field>
      <TextArea
        name="description"
        label={tFields("descriptionOptional")}
        hint={t("descriptionHint")}
        defaultValue={description}
        maxLength={MAX_BOARD_DESCRIPTION}
      />
      <AddressField board={board} />
      <ColorChoice color={color} />
      <Checkbox name="isPrivate" label={tFields("isPrivate")} hint={t("privateHint")} defaultChecked={isPrivate} />
    </>
  );
}

function AddressField({ board }: Pick<BoardFormProps, "board">) {
  const t = useTranslations("boards.form");
  const tFields = useTranslations("fields");
  return (
    <Field
      name="url"
      label={board ? tFields("url") : t("urlOptional")}
      hint={board ? t("urlHint") : t("newUrlHint")}
      prefix="/boards/"
      defaultValue={board?.url}
      autoComplete="off"
      maxLength={MAX_BOARD_URL}
      required={board !== undefined}
      isLiteral
    >
      <AddressCheck words={{ free: t("urlFree"), taken: t("urlTaken") }} />
    </Field>
  );
}

function ColorChoice({ color }: { color: string }) {
  const t = useTranslations("boards.form");
  const tFields = useTranslations("fields");
  return (
    <SwatchField
      name="color"
      label={tFields("color")}
      hint={t("colorHint")}
      swatches={COLORS.map((value) => ({ value, name: t(`colors.${value}`) }))}
      defaultValue={color}
      words={{ own: t("ownColor"), pick: t("pickColor") }}
    />
  );
}
