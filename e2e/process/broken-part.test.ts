import { expect, inject, onTestFinished, test } from "vitest";
import { signIn } from "../api/browser.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { t } from "../words.ts";

const template = inject("databaseTemplate");

test("a section of the dashboard that cannot be read says so, and the rest stands: opened by a browser, and by the site's own router", async () => {
  const site = await startSite({ template });
  await site.stop();
  // The figures need it, and nothing else that an owner is shown there.
  await writeRows(site, 'ALTER TABLE "Post" RENAME COLUMN "createdAt" TO "lost"');
  const server = await startServer({ from: site });
  onTestFinished(server.remove);
  const browser = await signIn(server.url, site.owner.email, site.owner.password);

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
