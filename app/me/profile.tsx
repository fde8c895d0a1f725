import { useTranslations } from "next-intl";
import { Avatar } from "#components/avatar";
import { Field } from "#components/ui/field";
import { Form } from "#components/ui/form";
import { SubmitButton } from "#components/ui/submit-button";
import { MAX_DISPLAY_NAME, type OwnUser } from "#server/users";
import { TooLargeNotice } from "../too-large-notice.tsx";
import { UploadField } from "../upload-field.tsx";
import { AccountSection } from "./account-section.tsx";
import { saveName, savePicture } from "./actions.ts";

type Noticed = { notice: string | undefined };

/** What the person is called. */
export function NameSection({ name, notice }: Noticed & { name: string }) {
  const t = useTranslations("me.name");
  const tFields = useTranslations("fields");
  return (
    <AccountSection id="name" notice={notice}>
      <Form action={saveName} className="grid gap-5">
        <Field name="name" label={tFields("name")} defaultValue={name} autoComplete="name" maxLength={MAX_DISPLAY_NAME} required />
        <div>
          <SubmitButton>{t("submit")}</SubmitButton>
        </div>
      </Form>
    </AccountSection>
  );
}

/** What stands beside the name. */
export function PictureSection({ user, notice }: Noticed & { user: OwnUser }) {
  const t = useTranslations("me.picture");
  return (
    <AccountSection id="picture" notice={notice}>
      <div className="grid gap-4">
        <TooLargeNotice notice={notice} />
        <div className="flex flex-wrap items-start gap-5">
          <Avatar person={user} size="large" />
          <div className="min-w-0 flex-1 basis-60">
            {/* Made anew with each picture, so that the file chosen is gone. */}
            <Form key={user.avatarId} action={savePicture} className="grid gap-4">
              <UploadField name="picture" label={t("label")} hint={t("hint")} />
              <div className="flex flex-wrap gap-3">
                <SubmitButton kind="secondary">{t("submit")}</SubmitButton>
                {user.avatarId && (
                  <SubmitButton kind="secondary" name="remove">
                    {t("remove")}
                  </SubmitButton>
                )}
              </div>
            </Form>
          </div>
        </div>
      </div>
    </AccountSection>
  );
}
