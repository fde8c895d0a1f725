import { createTranslator } from "next-intl";
import messages from "#messages/en.json" with { type: "json" };

/** What the pages say: a story names its buttons and fields as the site does. */
export const t = createTranslator({ locale: "en", messages });

/** The same for a text that holds markup, without it; `values` stand where the markup was. */
export function plain(key: Parameters<typeof t.markup>[0], values: Record<string, string>): string {
  const fill = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));
  return t.markup(key, fill as never);
}
