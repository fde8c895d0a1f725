import { render, toPlainText } from "@react-email/render";
import * as confirmAddress from "./confirm-address.tsx";
import { type LetterContext, type LetterSite, letterContext, withoutBreaks } from "./letter.ts";
import * as newDevice from "./new-device.tsx";
import * as passwordChanged from "./password-changed.tsx";
import * as resetPassword from "./reset-password.tsx";
import * as test from "./test-letter.tsx";

/** Every letter by the name that a stored mail carries. */
export type LetterProps = {
  "confirm-address": confirmAddress.Props;
  "reset-password": resetPassword.Props;
  "password-changed": passwordChanged.Props;
  "new-device": newDevice.Props;
  test: test.Props;
};

export type LetterName = keyof LetterProps;

type LetterFile<Props> = {
  subject(context: LetterContext): string;
  Letter(parts: { context: LetterContext; props: Props }): React.ReactElement;
};

const LETTERS: { [Name in LetterName]: LetterFile<LetterProps[Name]> } = {
  "confirm-address": confirmAddress,
  "reset-password": resetPassword,
  "password-changed": passwordChanged,
  "new-device": newDevice,
  test,
};

/** A letter ready to be sent. */
export type RenderedLetter = { subject: string; html: string; text: string };

/**
 * Writes a letter: the same input makes the same letter, byte for byte.
 * @throws Error if there is no letter of this name, as for one stored by a later version
 */
export async function renderLetter<Name extends LetterName>(name: Name, props: LetterProps[Name], site: LetterSite): Promise<RenderedLetter> {
  const letter: LetterFile<LetterProps[Name]> | undefined = LETTERS[name];
  if (!letter) throw new Error(`There is no email called ${name}.`);
  const context = letterContext(site);
  const html = await render(<letter.Letter context={context} props={props} />);
  return { subject: withoutBreaks(letter.subject(context)), html, text: plainText(html) };
}

function plainText(html: string): string {
  const heading = { selector: "h1", options: { uppercase: false } };
  return `${toPlainText(html, { wordwrap: 76, selectors: [heading] }).trim()}\n`;
}
