import { format, inspect, stripVTControlCharacters } from "node:util";
import { requestBeingAnswered } from "#lib/answer";

const PLACES = /^ +at (.+)$/gm;
/** What Next writes of its own places and of its libraries', and Node of the language's. */
const NOT_OURS = /^(?:ignore-listed frames|.* \(<anonymous>\))(?: \{)?$/;

/**
 * Whether Next says by `words`, as it gave them to the console, that it could not read what somebody sent to a form: an error on the way there that no place
 * of Heard's had a part in. No page of Heard's sends such a thing, and anybody could raise alarms by it.
 */
export function isUnreadableForm(words: unknown[]): boolean {
  const text = stripVTControlCharacters(format(...words.map((word) => (word instanceof Error ? withoutMessage(word) : word))));
  if (!text.startsWith("⨯ ") || requestBeingAnswered()?.method !== "POST") return false;
  const places = [...text.matchAll(PLACES)].map(([, place = ""]) => place);
  return places.length > 0 && places.every((place) => NOT_OURS.test(place));
}

/** It may quote what was sent, with lines that look like places. */
function withoutMessage(error: Error): string {
  return inspect(error).replace(error.message, () => "");
}
