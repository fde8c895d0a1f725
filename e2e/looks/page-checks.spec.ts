import { expect, test, WITH_JAVASCRIPT } from "../fixtures.ts";
import { deadEnds, untranslatedTexts } from "./page-checks.ts";

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

test("a page that found nothing leads nowhere by its search alone; one that was asked for nothing yet does", WITH_JAVASCRIPT, async ({ page }) => {
  const search = '<main><form role="search"><input name="q" /><button>Search</button></form><p>Nothing</p></main>';
  await page.route("**/found-by-nobody*", (route) => route.fulfill({ contentType: "text/html", body: search }));

  await page.goto("/found-by-nobody");
  expect(await deadEnds(page)).toEqual([]);
  await page.goto("/found-by-nobody?q=x");
  expect(await deadEnds(page)).toEqual(["no next step"]);
  await page.locator("main").evaluate((main) => main.insertAdjacentHTML("beforeend", '<a href="/">See all boards</a>'));
  expect(await deadEnds(page)).toEqual([]);
});
