import type { APIRequestContext, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { formButton, unique } from "./people.ts";
import type { TestSite } from "./site.ts";
import { t } from "./words.ts";

type Board = { boardId: string; name: string; url: string };

async function newBoard(request: APIRequestContext, site: TestSite, facts: object = {}): Promise<Board> {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const response = await request.post("/api/v1/boards", { data: { name: unique("Outside"), description: "Seen from outside", ...facts }, headers });
  expect(response.status()).toBe(201);
  return (await response.json()).board;
}

/** What the page says of itself: `property` or `name`, and the content. */
async function metadata(page: Page): Promise<Record<string, string>> {
  const entries = await page
    .locator("meta[property], meta[name]")
    .evaluateAll((all) => all.map((meta) => [meta.getAttribute("property") ?? meta.getAttribute("name"), meta.getAttribute("content")]));
  return Object.fromEntries(entries);
}

/** What the page says of itself to search engines. */
async function described(page: Page): Promise<object> {
  return JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
}

test("a link to a board is shown with its name, its description and a picture of its own", async ({ page, request, site }) => {
  const board = await newBoard(request, site);
  await page.goto(`/boards/${board.url}`);

  const said = await metadata(page);

  expect(said).toMatchObject({
    description: "Seen from outside",
    "og:title": board.name,
    "og:description": "Seen from outside",
    "og:url": `${site.url}/boards/${board.url}`,
    "og:image:width": "1200",
    "twitter:card": "summary_large_image",
  });
  expect(said["og:image"]).toMatch(new RegExp(`^${site.url}/boards/${board.url}/card\\.png\\?v=[\\w-]{12}$`));
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${site.url}/boards/${board.url}`);
  await expect(page.locator('link[type="application/atom+xml"]')).toHaveAttribute("href", `${site.url}/boards/${board.url}/feed.atom`);
  const feed = page.getByRole("link", { name: t("board.feedOf", { name: board.name }) });
  await expect(feed).toHaveText(t("site.feed"));
  await expect(feed).toHaveAttribute("href", `/boards/${board.url}/feed.atom`);
  expect(await described(page)).toMatchObject({ "@type": "CollectionPage", name: board.name, url: `${site.url}/boards/${board.url}` });
  await page.goto("/");
  expect(await described(page)).toMatchObject({ "@type": "WebSite", name: await page.getByRole("heading", { level: 1 }).textContent(), url: `${site.url}/` });
  expect((await metadata(page))["og:image"]).toMatch(new RegExp(`^${site.url}/card\\.png\\?v=`));
  await expect(page.locator('link[type="application/atom+xml"]')).toHaveAttribute("href", `${site.url}/feed.atom`);
});

test("a link to the pages where people sign in and sign up is shown as the site's, with one address whatever comes after", async ({ page, request, site }) => {
  const { settings } = await (await request.get("/api/v1/settings/site")).json();
  for (const [path, title] of [
    ["/login", t("login.title")],
    ["/signup", t("signup.title")],
  ] as const) {
    await page.goto(`${path}?next=%2Fme&email=somebody%40example.com`);

    const said = await metadata(page);

    expect(said).toMatchObject({
      description: settings.description || t("home.intro"),
      "og:title": title,
      "og:url": `${site.url}${path}`,
      "og:site_name": settings.title,
      "og:image:alt": settings.title,
      "twitter:card": "summary_large_image",
    });
    expect(said["og:image"]).toMatch(new RegExp(`^${site.url}/card\\.png\\?v=[\\w-]{12}$`));
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${site.url}${path}`);
    await expect(page.locator('link[type="application/atom+xml"]')).toHaveCount(0);
  }
});

test("search engines are told what a site and a board are for that nobody described", async ({ page, request, site }) => {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const { settings } = await (await request.get("/api/v1/settings/site")).json();
  const describe = (description: string) => request.patch("/api/v1/settings/site", { data: { description }, headers });
  const board = await newBoard(request, site, { description: "" });
  await describe("");
  for (const path of ["/", "/login", `/boards/${board.url}`]) {
    await page.goto(path);
    expect([path, (await metadata(page)).description]).toEqual([path, t("home.intro")]);
  }
  await describe(settings.description);
});

test("cards are pictures of 1200 by 630, kept for ever under the address that names them", async ({ page, request, site }) => {
  const board = await newBoard(request, site, { name: "💡 طلبات الميزات" });
  await page.goto(`/boards/${board.url}`);
  const address = (await metadata(page))["og:image"] ?? "";

  for (const path of [address, "/card.png", `/boards/${board.url}/card.png`]) {
    const answer = await request.get(path);
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
    expect(await sharp(await answer.body()).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    expect(answer.headers()["cache-control"]).toBe(path === address ? "public, max-age=31536000, immutable" : "no-cache");
    const again = await request.get(path, { headers: { "if-none-match": answer.headers().etag ?? "" } });
    expect([again.status(), (await again.body()).length]).toEqual([304, 0]);
  }
});

test("feeds are well-formed Atom, and are not sent twice to who has them", async ({ page, request, site }) => {
  const board = await newBoard(request, site, { name: `<b>&amp; ${unique("Feed")}` });
  await page.goto("/");

  for (const path of ["/feed.atom", `/boards/${board.url}/feed.atom`]) {
    const answer = await request.get(path);
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    const parsed = await page.evaluate(
      (xml) => {
        const feed = new DOMParser().parseFromString(xml, "application/xml");
        return {
          root: feed.documentElement.localName,
          self: feed.querySelector("link[rel=self]")?.getAttribute("href"),
          title: feed.querySelector("title")?.textContent,
        };
      },
      await answer.text(),
    );
    expect(parsed).toMatchObject({ root: "feed", self: `${site.url}${path}` });
    if (path !== "/feed.atom") expect(parsed.title).toBe(board.name);
    const again = await request.get(path, { headers: { "if-none-match": answer.headers().etag ?? "" } });
    expect(again.status()).toBe(304);
  }
});

test("a private board has no card, no feed and no place in the sitemap for outsiders", async ({ request, ownerPage, site }) => {
  const secret = await newBoard(request, site, { isPrivate: true });

  for (const path of ["card.png", "feed.atom"]) expect((await request.get(`/boards/${secret.url}/${path}`)).status()).toBe(404);
  for (const path of ["/sitemap.xml", "/feed.atom"]) expect(await (await request.get(path)).text()).not.toContain(secret.url);
  await ownerPage.goto(`/boards/${secret.url}`);
  expect((await metadata(ownerPage))["og:image"]).toBeUndefined();
  await expect(ownerPage.getByRole("link", { name: t("board.feedOf", { name: secret.name }) })).toHaveCount(0);
  const own = await ownerPage.request.get(`/boards/${secret.url}/card.png`);
  expect([own.status(), own.headers()["cache-control"]]).toEqual([200, "private, no-store"]);
});

test("a former address of a board leads its feed and its card to the present one", async ({ request, site }) => {
  const board = await newBoard(request, site);
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  await request.patch(`/api/v1/boards/${board.boardId}`, { data: { url: `${board.url}-moved` }, headers });

  for (const path of ["card.png", "feed.atom"]) {
    const answer = await request.get(`/boards/${board.url}/${path}`, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([308, `/boards/${board.url}-moved/${path}`]);
  }
});

test("search engines find the public boards, and are asked to leave the rest", async ({ request, site }) => {
  const board = await newBoard(request, site);

  const robots = await (await request.get("/robots.txt")).text();
  expect(robots).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  for (const path of ["/api/", "/dashboard"]) expect(robots).toContain(`Disallow: ${path}\n`);
  const sitemap = await request.get("/sitemap.xml");
  expect(sitemap.headers()["content-type"]).toBe("application/xml; charset=utf-8");
  expect(await sitemap.text()).toContain(`<loc>${site.url}/boards/${board.url}</loc>`);
  expect((await request.get("/sitemaps/99.xml")).status()).toBe(404);
  expect((await request.get("/sitemaps/nonsense")).status()).toBe(404);
});

test("a device that keeps the site hears its name and color, and gets icons as large as they say", async ({ page, request }) => {
  await page.goto("/");
  await expect(page.locator('link[rel="manifest"]')).toHaveAttribute("href", "/manifest.webmanifest");

  const manifest = await (await request.get("/manifest.webmanifest")).json();

  expect(manifest).toMatchObject({ start_url: "/", theme_color: expect.stringMatching(/^#[0-9a-f]{6}$/) });
  const icons = manifest.icons as { src: string; sizes: string; purpose: string }[];
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ["192x192", "any"],
    ["512x512", "any"],
    ["512x512", "maskable"],
  ]);
  const ofApple = page.locator('link[rel="apple-touch-icon"]');
  await expect(ofApple).toHaveAttribute("sizes", "180x180");
  for (const { src, sizes } of [...icons, { src: (await ofApple.getAttribute("href")) ?? "", sizes: "180x180" }]) {
    const answer = await request.get(src);
    expect([src, answer.status(), answer.headers()["cache-control"]]).toEqual([src, 200, "public, max-age=31536000, immutable"]);
    const { format, width, height } = await sharp(await answer.body()).metadata();
    expect([format, `${width}x${height}`]).toEqual(["png", sizes]);
    expect((await request.get(src.replace(/\?.*/, ""))).headers()["cache-control"]).toBe("no-cache");
  }
});

test("the API reference lists every operation of the document, each with a request to copy", async ({ page, request, site }) => {
  const document = await (await request.get("/api/v1/openapi.json")).json();
  const operations = Object.entries(document.paths as Record<string, Record<string, { summary: string }>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ path, method: method.toUpperCase(), summary })),
  );

  const response = await page.goto("/api/v1/docs");

  expect([response?.status(), response?.headers()["content-security-policy"]]).toEqual([200, expect.stringContaining("default-src 'none'")]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("apiDocs.title"));
  const entries = page.getByRole("article");
  await expect(entries).toHaveCount(operations.length);
  for (const { path, method, summary } of operations) {
    const entry = entries.filter({ has: page.getByRole("heading", { name: summary, exact: true }) });
    await expect(entry).toContainText(method);
    await expect(entry).toContainText(`/api/v1${path}`);
    await expect(entry).toContainText(`${site.url}/api/v1/`);
  }
  const codes = document.components.schemas.Error.properties.code.enum as string[];
  for (const code of codes) await expect(page.locator(`#code-${code}`)).toBeVisible();
});

test("the links of the API reference lead to their places on it", async ({ page }) => {
  await page.goto("/api/v1/docs");

  const missing = await page
    .locator('main a[href^="#"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? "").filter((href) => document.getElementById(href.slice(1)) === null));

  expect(missing).toEqual([]);
});

test("whoever needs the team finds on every page how to reach it", async ({ ownerPage, page }) => {
  const link = page.getByRole("contentinfo").getByRole("link", { name: t("site.contact") });
  const setContact = async (contact: string) => {
    await ownerPage.goto("/dashboard/settings");
    await ownerPage.getByLabel(t("fields.contact")).fill(contact);
    await formButton(ownerPage, t("settings.save")).click();
    await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
  };

  await setContact("you&us@example.com");
  await page.goto("/login");
  await expect(link).toHaveAttribute("href", "mailto:you%26us@example.com");
  await setContact("https://example.com/contact");
  await page.goto("/");
  await expect(link).toHaveAttribute("href", "https://example.com/contact");
  await setContact("");
  await page.reload();
  await expect(link).toHaveCount(0);
});

test("what the site runs on is said at the bottom of every page, unless its owner takes it away", async ({ ownerPage, page }) => {
  const line = page.getByRole("contentinfo").getByText(t("site.footer"));
  const setShown = async (isShown: boolean) => {
    await ownerPage.goto("/dashboard/settings/branding");
    await ownerPage.getByLabel(t("fields.showPoweredBy")).setChecked(isShown);
    await formButton(ownerPage, t("settings.save")).click();
    await expect(ownerPage.getByRole("status")).toHaveText(t("settings.notices.saved"));
    await page.goto("/");
  };

  await setShown(false);
  await expect(page.getByRole("contentinfo").getByRole("link")).not.toHaveCount(0);
  await expect(line).toHaveCount(0);
  await setShown(true);
  await expect(line).toBeVisible();
});
