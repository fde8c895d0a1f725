import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { newPerson, unique } from "./people.ts";

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

/**
 * What holds each text in sight that the Latin `name` is part of and that runs as an Arabic page does: a full stop at its end stands before it, and so do
 * the dots of what is cut, which go by the direction of the box that cuts.
 */
function strayNames(page: Page, name: string): Promise<string[]> {
  return page.evaluate((name) => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (words.nextNode()) {
      const place = words.currentNode.parentElement;
      if (!words.currentNode.textContent?.includes(name) || !place?.checkVisibility()) continue;
      const isApart = place.closest("script, option, bdi, [dir=auto], .sr-only");
      if (!isApart || cutsTheWrongWay(place)) found.push(place.outerHTML.slice(0, 200));
    }
    return found;

    function cutsTheWrongWay(place: Element): boolean {
      for (let box: Element | null = place; box; box = box.parentElement) {
        const { webkitLineClamp, textOverflow, direction } = getComputedStyle(box);
        if (webkitLineClamp !== "none" || textOverflow === "ellipsis") return direction !== "ltr";
      }
      return false;
    }
  }, name);
}

test("a name in Latin letters runs its own way wherever an Arabic page shows one", async ({ ownerPage: page, request, site }) => {
  const url = unique("next");
  const name = `What ${url}?`;
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const { board } = await (await request.post("/api/v1/boards", { data: { name, url }, headers })).json();
  const { title } = (await (await request.get("/api/v1/settings/site")).json()).settings;
  await page.context().addCookies([{ name: "heard-locale", value: "ar", url: site.url }]);

  for (const path of [
    "/",
    `/boards/${url}`,
    `/search?q=${url}`,
    "/dashboard/boards",
    `/dashboard/boards/${board.boardId}`,
    `/dashboard/boards/${board.boardId}/delete`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText(name);
    await expect(page.getByRole("banner")).toContainText(title);
    for (const shown of [name, title]) expect(await strayNames(page, shown), path).toEqual([]);
  }
});
