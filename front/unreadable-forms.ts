import { inspect, stripVTControlCharacters } from "node:util";
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
  const errors = words.filter((word) => word instanceof Error).flatMap((error) => chainOf(error));
  // Of a connection or a file, say: made by Node, where no place of ours need be behind it.
  if (errors.some((error) => "syscall" in error)) return false;
  const [sign] = words;
  if (typeof sign !== "string" || stripVTControlCharacters(sign).trim() !== "⨯") return false;
  const places = errors.flatMap((error) => [...placesOf(error).matchAll(PLACES)].map(([, place = ""]) => place));
  return places.length > 0 && places.every((place) => NOT_OURS.test(place));
}

/** The error, and those that it says caused it. */
function chainOf(error: Error, known: Error[] = []): Error[] {
  if (known.includes(error)) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const others = [cause, ...(Array.isArray(errors) ? errors : [])].filter((other) => other instanceof Error);
  return [error, ...others.flatMap((other) => chainOf(other, [...known, error]))];
}

/** What Next writes of an error's places. Not of its words: they may quote what was sent, with lines that look like places, and Next takes those for such. */
function placesOf({ message, stack = "" }: Error): string {
  const behind = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : "";
  return stripVTControlCharacters(inspect(Object.assign(new Error("without its words"), { stack: `Error${behind}` })));
}
