import { requestBeingAnswered } from "#lib/answer";

const PLACES = /^ +at (.+)$/gm;
/** What Next writes of its own places and of its libraries', and Node of the language's. */
const NOT_OURS = /^(?:ignore-listed frames|.* \(<anonymous>\))(?: \{)?$/;

/**
 * Whether Next says by `text` that it could not read what somebody sent to a form: an error on the way there that no place of Heard's had a part in. No page
 * of Heard's sends such a thing, and anybody could raise alarms by it.
 */
export function isUnreadableForm(text: string): boolean {
  if (!text.startsWith("⨯ ") || requestBeingAnswered()?.method !== "POST") return false;
  const places = [...text.matchAll(PLACES)].map(([, place = ""]) => place);
  return places.length > 0 && places.every((place) => NOT_OURS.test(place));
}
