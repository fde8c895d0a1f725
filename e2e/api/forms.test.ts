import { expect, inject, onTestFinished, test } from "vitest";
import { OWNER, startSite } from "../site.ts";
import { openBrowser } from "./browser.ts";

const TLS_PROXY = { "x-forwarded-proto": "https", "x-forwarded-host": "feedback.example.com" };

// Next asks its own server for that page, by plain http: past the guard of what goes out, also where people come by https.
async function expectPageWithAnswer(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await openBrowser(url, { headers }).call("/login", { email: OWNER.email, password: OWNER.password, next: "/me" });

  expect([response.status, response.headers.get("x-action-redirect")]).toEqual([200, "/me;push"]);
  expect(await response.text()).toContain(OWNER.email);
}

test("a form's answer to the site's JavaScript brings the page that it leads to", async () => {
  await expectPageWithAnswer(inject("site").url);
});

test("it does so behind a proxy that speaks TLS, and where all of the machine's addresses are listened on", async () => {
  const site = await startSite({ template: inject("databaseTemplate"), env: { TRUSTED_PROXIES: "1", HOST: "0.0.0.0" } });
  onTestFinished(site.remove);

  await expectPageWithAnswer(site.url, TLS_PROXY);

  expect(site.logs()).not.toMatch(/redirect response|not public/);
});

const AS_A_PLACE = '["$nabc\\n    at evil (x)"]';
// As Next takes it for one of the app's.
const AS_A_PLACE_OF_OURS = '["$nabc\\n    at evil (/app/.next/server/chunks/ssr/app_0.js:1:2)\\n"]';

test.each(["garbage", '["$@5","$Q7"]', '["$F1"]', "[", AS_A_PLACE, AS_A_PLACE_OF_OURS])(
  "I1: a server action that is sent %j instead of its arguments is answered 400",
  async (argument) => {
    const browser = openBrowser(inject("site").url);
    const action = await browser.actionOf("/login", ["email", "password"]);
    const asForm = new FormData();
    asForm.set("0", argument);

    for (const body of [asForm, argument]) {
      const answer = await browser.fetch("/login", { method: "POST", body, headers: { "sec-fetch-site": "same-origin", "next-action": action } });
      await answer.text();

      expect(answer.status).toBe(400);
    }
  },
);

test.each(["garbage", AS_A_PLACE, AS_A_PLACE_OF_OURS])(
  "I1: so is a form whose bound arguments are %j, and neither is a fault of the site's in its log",
  async (argument) => {
    const site = await startSite({ template: inject("databaseTemplate") });
    onTestFinished(site.remove);
    const browser = openBrowser(site.url);
    const id = await browser.actionOf("/login", ["email", "password"]);
    const form = new FormData();
    form.set("$ACTION_REF_1", "");
    form.set("$ACTION_1:0", JSON.stringify({ id, bound: "$@1" }));
    form.set("$ACTION_1:1", argument);

    const answer = await browser.fetch("/login", { method: "POST", body: form, headers: { "sec-fetch-site": "same-origin" } });
    await answer.text();

    expect(answer.status).toBe(400);
    // A line may come later than the answer.
    await expect.poll(() => site.logs()).toContain("what was sent to a form could not be read");
    expect(site.logLines().filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);
