import { colorOfId } from "#lib/colors";
import { db } from "#lib/db";
import { AppError } from "#lib/errors";
import { isUuid } from "#lib/ids";

/**
 * A person's picture as SVG: the first letters of the name on a colour of their own. Drawn here, so that nobody else hears who looks.
 * @throws AppError NOT_FOUND
 */
export async function drawAvatar(userId: string): Promise<string> {
  const user = isUuid(userId) ? await db.user.findUnique({ where: { userId }, select: { name: true } }) : null;
  if (!user) throw new AppError("NOT_FOUND", "There is no such picture.");
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">',
    `<rect width="96" height="96" fill="#${colorOfId(userId)}"/>`,
    '<text x="48" y="48" dy=".35em" text-anchor="middle" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600">',
    `${escapeXml(initials(user.name))}</text></svg>`,
  ].join("");
}

/** The first letters of the first and the last word; the first character of a name without letters. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? name];
  return chosen.map((word) => firstGrapheme(word ?? "").toLocaleUpperCase()).join("");
}

function firstGrapheme(text: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return first?.segment ?? "";
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.codePointAt(0)};`);
}
