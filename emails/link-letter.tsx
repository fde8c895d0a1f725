import { ActionButton, BareLink, Frame, Greeting, Paragraph } from "./frame.tsx";
import type { LetterContext } from "./letter.ts";

/** What a letter with a link is filled with. */
export type LinkProps = {
  /** The person's name as they gave it, if they did. */
  name?: string;
  /** The page that it leads to. */
  link: string;
  /** For how long; letters that were written before they said so have it not. */
  validHours?: number;
};

type LinkLetterProps = Required<Pick<LinkProps, "link" | "validHours">> &
  Pick<LinkProps, "name"> & { context: LetterContext; words: "confirmAddress" | "resetPassword" };

/** A letter that asks for one thing: to open a link, which works once and for a while. */
export function LinkLetter({ context, words, name, link, validHours }: LinkLetterProps) {
  const { t, siteTitle } = context;
  return (
    <Frame context={context} preview={t(`${words}.preview`)} heading={t(`${words}.heading`)}>
      <Greeting context={context} name={name} />
      <Paragraph>{t(`${words}.body`, { siteTitle })}</Paragraph>
      <ActionButton context={context} href={link}>
        {t(`${words}.button`)}
      </ActionButton>
      <Paragraph quiet onlyBesideButton>
        {t("linkFallback")}
      </Paragraph>
      <BareLink context={context} href={link} />
      <Paragraph quiet>{t("linkValidity", { hours: validHours })}</Paragraph>
      <Paragraph quiet>{t(`${words}.ignore`)}</Paragraph>
    </Frame>
  );
}
