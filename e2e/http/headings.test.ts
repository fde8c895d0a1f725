import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "#lib/testing/smtp";
import { type Browser, openBrowser, signIn } from "../api/browser.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite, type TestSite } from "../site.ts";
import { t } from "../words.ts";

const template = inject("databaseTemplate");
const SENT = "/reset-password?notice=sent&email=ada%40example.com";

let smtp: TestSmtpServer;
let site: TestSite;
let api: Api;

beforeAll(async () => {
  smtp = await startSmtpServer();
  site = await startSite({ template, env: { MAIL: "smtp", SMTP_URL: smtp.url } });
  api = apiOf(site.url);
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
  await smtp?.close();
});

/** Where the newest letter to `email` with a link to `page` leads, once it has come. */
async function linkTo(email: string, page: string): Promise<string> {
  return vi.waitFor(
    () => {
      const texts = smtp.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail.text ?? "");
      const [link] = texts.flatMap((text) => text.match(/\/[\w-]+\?token=[\w-]+/g) ?? []).filter((path) => path.startsWith(page));
      if (!link) throw new Error(`No link to ${page} has come to ${email}`);
      return link;
    },
    { timeout: 15_000, interval: 50 },
  );
}

/** What the page at `path` is called in the tab, without the site's name, and in its heading. */
async function namesOf(browser: Browser, path: string): Promise<{ title: string; heading: string }> {
  const text = await (await browser.fetch(path)).text();
  const [title = "", heading = ""] = [/<title>([^<]*)/, /<h1[^>]*>([^<]*)/].map((pattern) => pattern.exec(text)?.[1]?.replaceAll("&#x27;", "'"));
  return { title: title.replace(/ · .*/, ""), heading };
}

/** Both names of a page as they are to be. */
function both(name: string) {
  return { title: name, heading: name };
}

test("the page for a new password is called after what it asks for, or says, at the moment", async () => {
  const visitor = openBrowser(site.url);
  await api.post("/auth/password/reset", { email: site.owner.email });

  expect(await namesOf(visitor, "/reset-password")).toEqual(both(t("reset.title")));
  expect(await namesOf(visitor, SENT)).toEqual(both(t("reset.sent.title")));
  expect(await namesOf(visitor, await linkTo(site.owner.email, "/reset-password"))).toEqual(both(t("reset.new.title")));
  expect(await namesOf(visitor, "/reset-password?token=x")).toEqual(both(t("reset.dead.title")));
  expect(await namesOf(openBrowser(inject("site").url), SENT)).toEqual(both(t("reset.kept.title")));
});

test("the page for an address is called after what it asks for, or says, at the moment", async () => {
  const visitor = openBrowser(site.url);
  const email = newEmail();
  await api.post("/auth/signup", { email, password: PASSWORD });
  const member = await signIn(site.url, email, PASSWORD);
  const link = await linkTo(email, "/confirm-address");

  for (const path of ["/confirm-address", link]) expect(await namesOf(visitor, path)).toEqual(both(t("confirm.title")));
  expect(await namesOf(member, "/confirm-address?notice=sent")).toEqual(both(t("confirm.title")));
  expect(await namesOf(visitor, "/confirm-address?notice=confirmed")).toEqual(both(t("confirm.done.title")));
  for (const browser of [visitor, member]) expect(await namesOf(browser, "/confirm-address?token=x")).toEqual(both(t("confirm.dead.title")));
  await member.submit(link, { token: new URL(link, site.url).searchParams.get("token") ?? "" });
  expect(await namesOf(member, "/confirm-address")).toEqual(both(t("confirm.done.title")));
  expect(await namesOf(member, link)).toEqual(both(t("confirm.dead.ownTitle")));
});

test("the page to sign up at is called after what stands in the way", async () => {
  const visitor = openBrowser(site.url);
  const letSignUp = (allowSignup: boolean) => api.patch("/settings/site", { allowSignup }, { token: site.owner.authToken });
  expect(await namesOf(visitor, "/signup")).toEqual(both(t("signup.title")));
  await letSignUp(false);
  onTestFinished(async () => void (await letSignUp(true)));

  expect(await namesOf(visitor, "/signup")).toEqual(both(t("signup.closed.title")));
});

test("on a site without mail, pages that need it are called after that", async () => {
  await site.stop();
  const mute = await startServer({ from: site, env: { MAIL: "none" } });
  const visitor = openBrowser(mute.url);
  const names = [await namesOf(visitor, "/signup"), await namesOf(visitor, "/reset-password")];
  await mute.stop();

  expect(names).toEqual([both(t("signup.noMail.title")), both(t("reset.noMail.title"))]);
});
