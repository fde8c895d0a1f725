import type { LetterContext } from "./letter.ts";
import { LinkLetter, type LinkProps } from "./link-letter.tsx";

/** What the letter is filled with; its link leads to the page that confirms the address. */
export type Props = LinkProps;

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("confirmAddress.subject", { siteTitle });
}

/** "Show that this address is yours": goes out at set-up, at sign-up, and when asked for again. */
export function Letter({ context, props: { validHours = 24, ...props } }: { context: LetterContext; props: Props }) {
  return <LinkLetter context={context} words="confirmAddress" validHours={validHours} {...props} />;
}
