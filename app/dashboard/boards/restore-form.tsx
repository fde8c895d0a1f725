import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { restore } from "./actions.ts";

type RestoreFormProps = {
  boardId: string;
  /** What the button says, and what it is called among several. */
  text: string;
  label: string;
};

/** Brings a deleted board back. */
export function RestoreForm({ boardId, text, label }: RestoreFormProps) {
  return (
    <Form action={restore} className="grid shrink-0 gap-3">
      <input type="hidden" name="boardId" value={boardId} />
      <SubmitButton kind="secondary" label={label}>
        {text}
      </SubmitButton>
    </Form>
  );
}
