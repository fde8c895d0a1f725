import { BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What the letter is filled with. */
export type Props = {
  /** The owner's name. */
  name?: string;
  /** The page that the letter was asked for on. */
  link: string;
};

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("test.subject", { siteTitle });
}

/** "Test email": goes to an owner who asked for it in the settings, or stays in the outbox, where it does not show that mail works. */
export function Letter({ context, props: { name, link } }: { context: LetterContext; props: Props }) {
  const { t, siteTitle } = context;
  return (
    <Frame context={context} preview={t("test.preview")} heading={t("test.heading")}>
      <Greeting context={context} name={name} />
      <Paragraph>{t("test.body", { siteTitle })}</Paragraph>
      <Paragraph quiet>{t("test.link")}</Paragraph>
      <BareLink context={context} href={link} />
    </Frame>
  );
}
