import { withEmoji } from "#lib/emoji";

/** The fields of a board's emoji in the form: the one chosen, and the one that the name began with when the form was shown. */
export const EMOJI_FIELD = "emoji";
export const EMOJI_BEFORE_FIELD = "emojiBefore";

/** What boards are about, as far as one sign can say: ideas, faults, parts of a product, people, figures, places. */
export const BOARD_EMOJI = [
  ...["💡", "✨", "🚀", "🎯", "🧭", "🗺️", "🔥", "⭐", "🐞", "🛠️"],
  ...["⚙️", "🔌", "🧩", "⚡", "🧪", "🤖", "📱", "💻", "🖥️", "⌨️"],
  ...["🌍", "🔒", "🔑", "👥", "👋", "💬", "📣", "❤️", "🎨", "📷"],
  ...["🎵", "📊", "📈", "📚", "📝", "📅", "✅", "💳", "🛒", "📦"],
];

/** The name as it is meant: beginning with the emoji where another one was chosen, else as it was typed. */
export function nameOfForm({ name, emoji, before }: { name: string; emoji: string; before: string }): string {
  return emoji === before ? name : withEmoji(name, emoji);
}
