import type { LetterContext } from "./letter.ts";
import { LinkLetter, type LinkProps } from "./link-letter.tsx";

/** What the letter is filled with; its link leads to the page that takes the new password. */
export type Props = LinkProps;

/** The subject. */
export function subject({ t, siteTitle }: LetterContext): string {
  return t("resetPassword.subject", { siteTitle });
}

/** "Choose a new password": goes out when somebody asks for it, who need not be the person. */
export function Letter({ context, props: { validHours = 1, ...props } }: { context: LetterContext; props: Props }) {
  return <LinkLetter context={context} words="resetPassword" validHours={validHours} {...props} />;
}
