const ACCENTED: Record<string, string> = Object.fromEntries(
  Array.from("AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpRrSsTtUuVvWwYyZz", (letter, index) => [
    letter,
    Array.from("ÀàƁƀÇçĐđÉéƑƒĜĝĤĥÎîĴĵĶķĹĺṀḿÑñÔôÞþŔŕŠšŢţÛûṼṽŴŵÝýŽž")[index] ?? letter,
  ]),
);

/**
 * Every text of `messages` with accents and two fifths longer, so that what is cut off, or written into the code, is seen.
 * Placeholders and tags stay as they are.
 */
export function pseudoMessages<Messages>(messages: Messages): Messages {
  if (typeof messages === "string") return pseudo(messages) as Messages;
  if (typeof messages !== "object" || messages === null) return messages;
  return Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, pseudoMessages(value)])) as Messages;
}

function pseudo(message: string): string {
  let depth = 0;
  let isTag = false;
  const letters = Array.from(message, (character) => {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "<") isTag = true;
    // In ICU messages words stand outside of braces, and within the branches of a choice, which are two deep, and so on.
    const isText = depth % 2 === 0 && !isTag;
    if (character === ">") isTag = false;
    return isText ? (ACCENTED[character] ?? character) : character;
  });
  return `[${letters.join("")}${"·".repeat(Math.ceil(message.replace(/[{<][^}>]*[}>]/g, "").length * 0.4))}]`;
}
