import { expect, inject, onTestFinished, test } from "vitest";
import words from "#messages/failed-page.json" with { type: "json" };
import { signIn } from "../api/browser.ts";
import { apiOf } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { t } from "../words.ts";

const { en: failed } = words;
const template = inject("databaseTemplate");

/** A site's server that goes on after `statements` have broken what it stores. */
async function aBrokenSite(statements: string) {
  const site = await startSite({ template });
  await apiOf(site.url).post("/boards", { name: "Ideas" }, { token: site.owner.authToken });
  await site.stop();
  await writeRows(site, statements);
  const server = await startServer({ from: site });
  onTestFinished(server.remove);
  return { ...server, owner: site.owner };
}

test("a page that cannot be made says so with 500, leads on, and names what the log has more of", async () => {
  const server = await aBrokenSite('ALTER TABLE "Post" RENAME COLUMN "title" TO "lost"');

  const answer = await fetch(`${server.url}/boards/ideas`, { headers: { accept: "text/html" } });
  const page = await answer.text();
  const [, requestId = "no request id"] = /<code[^>]*>([\w-]+)<\/code>/.exec(page) ?? [];

  expect(answer.status).toBe(500);
  expect(page.match(/<h1[^>]*>([^<]*)/)?.[1]).toBe(failed.title);
  for (const text of [`>${failed.retry}</a>`, `>${t("problems.home")}</a>`]) expect(page).toContain(text);
  expect(page).not.toMatch(/"lost"|column/);
  await expect.poll(() => server.logLines().filter((line) => line.includes(requestId) && line.includes("a page could not be made"))).toHaveLength(1);
  expect((await fetch(`${server.url}/`)).status).toBe(200);
});

test("a section of the dashboard that cannot be read says so, and the rest stands: opened by a browser, and by the site's own router", async () => {
  // The figures need it, and nothing else that an owner is shown there.
  const server = await aBrokenSite('ALTER TABLE "Post" RENAME COLUMN "createdAt" TO "lost"');
  const browser = await signIn(server.url, server.owner.email, server.owner.password);

  for (const [name, value] of [
    ["accept", "text/html"],
    ["RSC", "1"],
  ] as const) {
    // What the router asks for is answered at an address that says so.
    const answer = await browser.fetch("/dashboard", { headers: { [name]: value }, redirect: "follow" });
    const page = await answer.text();

    expect(answer.status).toBe(200);
    for (const text of [t("dashboard.unreadable"), t("dashboard.firstSteps.title"), t("checks.mail.outbox")]) expect(page).toContain(text);
  }
  expect(server.logs().match(/a part of a page could not be read/g)).toHaveLength(2);
});
