import { expect, test } from "vitest";
import { leadingEmoji, splitEmoji, withEmoji } from "./emoji.ts";

test.each(["💡", "🗺️", "👩‍💻", "👋🏽", "🇩🇪", "1️⃣"])("%s is split from what follows it", (emoji) => {
  expect(splitEmoji(`${emoji} Ideas`)).toEqual({ emoji: `${emoji} `, text: "Ideas" });
  expect([leadingEmoji(emoji), leadingEmoji(`${emoji} Ideas`)]).toEqual([emoji, emoji]);
});

test.each(["Ideas", "Ideas 💡", "💡Ideas", "💡💡 Ideas", "1 idea"])("%s begins with none", (text) => {
  expect(splitEmoji(text)).toEqual({ emoji: null, text });
  expect(leadingEmoji(text)).toBe("");
});

test("an emoji comes instead of the one before, and goes", () => {
  expect([withEmoji("💡 Ideas", "🐞"), withEmoji("Ideas", "🐞"), withEmoji("💡 Ideas", ""), withEmoji("💡", "🐞")]).toEqual([
    "🐞 Ideas",
    "🐞 Ideas",
    "Ideas",
    "🐞 ",
  ]);
});
