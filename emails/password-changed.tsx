import { BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What the letter is filled with. */
export type Props = {
  /** The person's name. */
  name?: string;
  /** The page where a new password is asked for. */
  link: string;
};

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("passwordChanged.subject", { siteTitle });
}

/** "Your password was changed": goes out after every change, for the person to notice one that was not theirs. */
export function Letter({ context, props: { name, link } }: { context: LetterContext; props: Props }) {
  const { t, siteTitle } = context;
  return (
    <Frame context={context} preview={t("passwordChanged.preview")} heading={t("passwordChanged.heading")}>
      <Greeting context={context} name={name} />
      <Paragraph>{t("passwordChanged.body", { siteTitle })}</Paragraph>
      <Paragraph>{t("passwordChanged.otherwise")}</Paragraph>
      <BareLink context={context} href={link} />
    </Frame>
  );
}
