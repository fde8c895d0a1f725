import { useTranslations } from "next-intl";
import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { retry } from "./actions.ts";

/** A button that sends a letter once more. */
export function RetryForm({ mailId, label }: { mailId: string; label?: string }) {
  const t = useTranslations("outbox");
  return (
    <Form action={retry} className="grid gap-3">
      <input type="hidden" name="mailId" value={mailId} />
      <SubmitButton kind="secondary" label={label}>
        {t("retry")}
      </SubmitButton>
    </Form>
  );
}
