import { BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What the letter is filled with. */
export type Props = {
  /** The person's name. */
  name?: string;
  /** What it was done with, such as Firefox and Linux; null for a program, or what nobody knows. */
  browser: string | null;
  system: string | null;
  /** The page that lists where the person is signed in. */
  link: string;
};

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("newDevice.subject", { siteTitle });
}

/** "New sign-in to your account": goes out when it was with something new, for the person to notice if it was not them. */
export function Letter({ context, props: { name, browser, system, link } }: { context: LetterContext; props: Props }) {
  const { t, siteTitle } = context;
  const device = browser && system ? t("newDevice.device", { browser, system }) : t("newDevice.program");
  return (
    <Frame context={context} preview={t("newDevice.preview")} heading={t("newDevice.heading")}>
      <Greeting context={context} name={name} />
      <Paragraph>{t("newDevice.body", { siteTitle, device })}</Paragraph>
      <Paragraph>{t("newDevice.otherwise")}</Paragraph>
      <BareLink context={context} href={link} />
    </Frame>
  );
}
