/** A source of pseudo-random numbers: the same seed gives the same site. */
export type Random = () => number;

/** Numbers from 0 to below 1, the same ones in the same order for the same `seed`: Mulberry32, public domain, by Tommy Ettinger. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of `choices`. */
export function pick<Choice>(random: Random, choices: readonly Choice[]): Choice {
  return choices[Math.floor(random() * choices.length)] as Choice;
}

/** The boards that a small product team would make. Their names say what they are. */
export const DEMO_BOARDS = [
  { name: "💡 Feature requests (demo)", description: "What would make your work easier? One wish per post, please.", color: "2563eb", weight: 10 },
  { name: "🐞 Bugs (demo)", description: "Something does not work as it should. Say what you did, and what happened instead.", color: "be123c", weight: 6 },
  { name: "📱 Mobile app (demo)", description: "Everything about the app on phones and tablets.", color: "7c3aed", weight: 5 },
  { name: "🔌 Integrations (demo)", description: "Other programs that ours should talk to.", color: "0f766e", weight: 4 },
  { name: "📊 Reports (demo)", description: "Figures, charts and exports: what you need to see, and for whom.", color: "b45309", weight: 3 },
  { name: "⌨️ Accessibility (demo)", description: "Where a screen reader, a keyboard or tired eyes get stuck.", color: "15803d", weight: 2 },
  { name: "📚 Documentation (demo)", description: "Pages that are missing, wrong or hard to find.", color: "475569", weight: 2 },
  { name: "🌍 Languages (demo)", description: "Translations, and words that read oddly in yours.", color: "c2410c", weight: 1 },
] as const;

const THINGS = [
  "the weekly report",
  "search",
  "the calendar",
  "saved filters",
  "the invoice list",
  "notifications",
  "the import",
  "keyboard shortcuts",
  "file uploads",
  "the sidebar",
  "comments",
  "the export",
  "tags",
  "the activity log",
  "dark mode",
  "the sign-in page",
  "the timeline",
  "shared links",
  "the team page",
  "attachments",
  "templates",
  "the API",
  "reminders",
  "the project overview",
  "custom fields",
  "the print view",
  "time zones",
  "the editor",
] as const;
const WISHES = [
  "Let me pin {thing}",
  "Show who last changed {thing}",
  "Make {thing} work offline",
  "Remember my settings for {thing}",
  "Group {thing} by project",
  "Add undo to {thing}",
  "Let guests see {thing}",
  "Sort {thing} by date",
  "Open {thing} in a second window",
  "Copy {thing} to another team",
  "Send me a summary of {thing} every morning",
  "Give {thing} a larger font",
  "Let {thing} start on Sunday",
  "Hide {thing} from the menu",
  "Bring {thing} to the phone",
  "Explain {thing} on its first use",
  "Mark everything in {thing} as read",
  "Show {thing} in my language",
  "Make {thing} faster when there are thousands of rows",
  "Keep {thing} when I go back",
] as const;
const REASONS = [
  "",
  "",
  "",
  " for the whole team",
  " on small screens",
  " without reloading",
  " when I am away",
  ", please",
  " for new colleagues",
  " at the end of the month",
] as const;

/** A wish such as somebody would type into the title field. */
export function demoTitle(random: Random): string {
  return pick(random, WISHES).replace("{thing}", pick(random, THINGS)) + pick(random, REASONS);
}
