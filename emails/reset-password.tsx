import { ActionButton, BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What the letter is filled with. */
export type Props = {
  /** The person's name. */
  name?: string;
  /** The page that takes the new password. */
  link: string;
  /** How long it does; letters that were written before they said so have it not. */
  validHours?: number;
};

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("resetPassword.subject", { siteTitle });
}

/** "Choose a new password": goes out when somebody asks for it, who need not be the person. */
export function Letter({ context, props: { name, link, validHours = 1 } }: { context: LetterContext; props: Props }) {
  const { t, siteTitle } = context;
  return (
    <Frame context={context} preview={t("resetPassword.preview")} heading={t("resetPassword.heading")}>
      <Greeting context={context} name={name} />
      <Paragraph>{t("resetPassword.body", { siteTitle })}</Paragraph>
      <ActionButton context={context} href={link}>
        {t("resetPassword.button")}
      </ActionButton>
      <Paragraph quiet onlyBesideButton>
        {t("resetPassword.fallback")}
      </Paragraph>
      <BareLink context={context} href={link} />
      <Paragraph quiet>{t("resetPassword.validity", { hours: validHours })}</Paragraph>
      <Paragraph quiet>{t("resetPassword.ignore")}</Paragraph>
    </Frame>
  );
}
