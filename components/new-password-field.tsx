import { useTranslations } from "next-intl";
import { STRENGTHS, type Strength } from "#lib/password-strength";
import { PasswordField } from "./ui/password-field.tsx";

type NewPasswordFieldProps = {
  /** As its failures are named, "password" unless told. */
  name?: string;
  /** Whether there is another one that it takes the place of. */
  isReplacement?: boolean;
  /** By which common passwords are known while one is typed. */
  commonMarks: string;
};

/** A password that somebody thinks up here: says what is asked of it, and what it is worth while it is typed. */
export function NewPasswordField({ name = "password", isReplacement = false, commonMarks }: NewPasswordFieldProps) {
  const t = useTranslations("fields");
  const texts = Object.fromEntries(STRENGTHS.map((strength) => [strength, t(`strength.${strength}`)])) as Record<Strength, string>;
  return (
    <PasswordField
      name={name}
      label={t(isReplacement ? "newPassword" : "password")}
      hint={t("passwordHint")}
      autoComplete="new-password"
      showText={t("showPassword")}
      judged={{ texts, commonMarks }}
    />
  );
}
