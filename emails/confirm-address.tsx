import { ActionButton, BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What the letter is filled with. */
export type Props = {
  /** The person's name as they gave it, if they did. */
  name?: string;
  /** The page that confirms the address. */
  link: string;
  /** How long it does; letters that were written before they said so have it not. */
  validHours?: number;
};

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("confirmAddress.subject", { siteTitle });
}

/** "Show that this address is yours": goes out at set-up, at sign-up, and when asked for again. */
export function Letter({ context, props: { name, link, validHours = 24 } }: { context: LetterContext; props: Props }) {
  const { t, siteTitle } = context;
  return (
    <Frame context={context} preview={t("confirmAddress.preview")} heading={t("confirmAddress.heading")}>
      <Greeting context={context} name={name} />
      <Paragraph>{t("confirmAddress.body", { siteTitle })}</Paragraph>
      <ActionButton context={context} href={link}>
        {t("confirmAddress.button")}
      </ActionButton>
      <Paragraph quiet onlyBesideButton>
        {t("confirmAddress.fallback")}
      </Paragraph>
      <BareLink context={context} href={link} />
      <Paragraph quiet>{t("confirmAddress.validity", { hours: validHours })}</Paragraph>
      <Paragraph quiet>{t("confirmAddress.ignore")}</Paragraph>
    </Frame>
  );
}
