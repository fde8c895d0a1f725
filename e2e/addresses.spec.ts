import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { newPerson } from "./people.ts";

/** The email addresses in sight that run as the page does, which is not how an address is read in Arabic. */
function strayAddresses(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (words.nextNode()) {
      const [text, place] = [words.currentNode.textContent ?? "", words.currentNode.parentElement];
      if (!place?.checkVisibility() || place.closest("script, pre, code")) continue;
      if (/\w@|@\w/.test(text) && place.closest("[dir]")?.getAttribute("dir") !== "ltr") found.push(text);
    }
    return found;
  });
}

test("an email address runs from left to right wherever a page shows one", async ({ ownerPage: page, request, site }) => {
  const answer = await request.post("/api/v1/auth/signup", { data: newPerson() });
  const { user } = await answer.json();
  await page.context().addCookies([{ name: "heard-locale", value: "ar", url: site.url }]);

  for (const path of [
    "/me",
    "/confirm-address",
    "/dashboard",
    "/dashboard/users",
    `/dashboard/users/${user.userId}`,
    "/dashboard/outbox",
    "/dashboard/settings/mail",
  ]) {
    await page.goto(path);
    await page.getByRole("banner").locator("summary").click();
    expect(await strayAddresses(page), path).toEqual([]);
  }
});
