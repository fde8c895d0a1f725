import { useTranslations } from "next-intl";
import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { retry } from "./actions.ts";
import type { OutboxQuery } from "./address.ts";

type RetryFormProps = {
  mailId: string;
  /** What the outbox shows where the button stands in it: it goes on showing that. */
  query?: Partial<OutboxQuery>;
  label?: string;
};

/** A button that sends a letter once more. */
export function RetryForm({ mailId, query: { q, status, after } = {}, label }: RetryFormProps) {
  const t = useTranslations("outbox");
  return (
    <Form action={retry} className="grid gap-3">
      {Object.entries({ mailId, q, status, after }).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
      <SubmitButton kind="secondary" label={label}>
        {t("retry")}
      </SubmitButton>
    </Form>
  );
}
