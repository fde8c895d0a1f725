import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PictureField } from "#components/ui/picture-field";
import { MAX_UPLOAD_BYTES } from "#server/images";

type UploadFieldProps = {
  name: string;
  label: string;
  hint: string;
  /** The picture as it is now, and what there is to say of it. */
  children?: ReactNode;
};

/** A picture that somebody hands in, no larger than the site takes. */
export function UploadField({ name, label, hint, children }: UploadFieldProps) {
  const [t, tErrors] = [useTranslations("fields"), useTranslations("errors")];
  const words = { choose: t("choosePicture"), none: t("noPicture") };
  return (
    <PictureField name={name} label={label} hint={hint} maxBytes={MAX_UPLOAD_BYTES} tooLargeText={tErrors("PAYLOAD_TOO_LARGE")} words={words}>
      {children}
    </PictureField>
  );
}
