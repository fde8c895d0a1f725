import { expect, test, WITH_JAVASCRIPT } from "../fixtures.ts";
import { untranslatedTexts } from "./page-checks.ts";

test(
  "a text that nobody translated stands out in the pseudo-locale; what people typed and what is the same in every language do not",
  WITH_JAVASCRIPT,
  async ({ page }) => {
    await page.setContent(`
    <html lang="en-XA"><body>
      <p>[Ţŕåñšļåţéð]</p><p>Forgotten by everybody</p><p>Typed by Ada</p><p>DELETE</p><p>/boards/ideas</p><p>Nov 27</p>
      <a lang="de">Deutsch</a><code>npm start</code><time>3 hours ago</time>
    </body></html>`);

    expect(await untranslatedTexts(page, ["Typed by Ada"])).toEqual(["Forgotten by everybody"]);
  },
);
