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
  if (requestBeingAnswered()?.method !== "POST") return false;
  const text = stripVTControlCharacters(format(...words.map((word) => (word instanceof Error ? placesOf(word) : word))));
  if (!text.startsWith("⨯ ")) return false;
  const places = [...text.matchAll(PLACES)].map(([, place = ""]) => place);
  return places.length > 0 && places.every((place) => NOT_OURS.test(place));
}

/** What Next writes of an error's places, and of its causes'. Not of its words: they may quote what was sent, with lines that look like places, and Next takes those for such. */
function placesOf({ message, stack = "", cause }: Error): string {
  const behind = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : "";
  const wordless = Object.assign(new Error("without its words"), { stack: `Error${behind}` });
  return `${inspect(wordless)}\n${cause instanceof Error ? placesOf(cause) : ""}`;
}
