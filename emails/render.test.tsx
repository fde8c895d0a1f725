import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accentTones, contrastRatio, DEFAULT_ACCENT, READABLE_RATIO, WHITE } from "#lib/accent";
import { renderLetter } from "./render.tsx";

const SITE = { title: "Nimbus Ideas", url: "https://feedback.example.com" };
const LINK = "https://feedback.example.com/confirm-address?token=q9Jm2-Zx_41&kind=confirm";
const PROPS = { name: "Ada", link: LINK };

test("the letter that confirms an address says for which site, where to click, and what if it was somebody else", async () => {
  const letter = await renderLetter("confirm-address", PROPS, SITE);

  expect(letter.subject).toBe("Confirm your address for Nimbus Ideas");
  expect(letter.text).toBe(
    [
      "Nimbus Ideas",
      "",
      "",
      "Confirm your address",
      "",
      "Hello Ada,",
      "",
      "Somebody, most likely you, made an account at Nimbus Ideas with this",
      "address. Please confirm that it is yours:",
      "",
      LINK,
      "",
      "The link works once, and for 24 hours.",
      "",
      "If that was not you, ignore this email. Nothing will happen.",
      "",
      "This email was sent by Nimbus Ideas, where this address is used:",
      "https://feedback.example.com",
      "",
    ].join("\n"),
  );
});

test("the link is in the HTML twice, as a button and to be copied, and nothing is loaded from anywhere", async () => {
  const { html } = await renderLetter("confirm-address", PROPS, SITE);

  expect(html.match(/<a [^>]*>/g)).toHaveLength(2);
  expect(html.split(`href="${LINK.replace("&", "&amp;")}"`)).toHaveLength(3);
  expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/i);
  expect(html).toMatch(/^<!DOCTYPE html/);
  expect(html).toContain('<html lang="en" dir="ltr">');
});

test("the button and the link have the site's color, dark enough for white words on it and to be read on paper", async () => {
  for (const accentColor of [undefined, "ffe600"]) {
    const { html } = await renderLetter("confirm-address", PROPS, { ...SITE, accentColor });
    const { button, lightInk } = accentTones(accentColor ?? DEFAULT_ACCENT);

    expect(html).toContain(`background-color:#${button}`);
    expect(html).toContain(`color:#${lightInk};word-break`);
    expect(contrastRatio(button, WHITE)).toBeGreaterThanOrEqual(READABLE_RATIO);
    expect(contrastRatio(lightInk, WHITE)).toBeGreaterThanOrEqual(READABLE_RATIO);
  }
});

test("a black button stands out where the letter is shown dark", async () => {
  const { html } = await renderLetter("confirm-address", PROPS, { ...SITE, accentColor: "000000" });

  expect(html).toContain(`.button { background-color: #${accentTones("000000").darkButton} !important; }`);
  expect(html).toContain('<td class="button"');
});

test("a letter's neutral colors are those of the site's pages", async () => {
  const { html } = await renderLetter("confirm-address", PROPS, SITE);
  const css = readFileSync("app/globals.css", "utf8");

  for (const name of ["surface", "line", "ink", "ink-muted"]) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
    expect(html).toContain(light);
    expect(html).toContain(`${dark} !important`);
  }
});

test("what a person typed is text and never markup", async () => {
  const { html } = await renderLetter("confirm-address", { ...PROPS, name: "<script>alert(1)<x" }, { ...SITE, title: `<img src=x onerror="alert(1)">` });

  expect(html).not.toContain("<script>");
  expect(html).not.toContain("<img");
});

test("a title with line breaks cannot add a header, and an endless one is cut", async () => {
  const { subject } = await renderLetter("confirm-address", PROPS, { ...SITE, title: "Ideas\r\nBcc: eve@example.com\u2028\u0000" });
  const { subject: cut } = await renderLetter("confirm-address", PROPS, { ...SITE, title: "💡".repeat(500) });

  expect(subject).toBe("Confirm your address for Ideas Bcc: eve@example.com");
  expect([...cut]).toHaveLength("Confirm your address for ".length + 100);
  expect(cut.isWellFormed()).toBe(true);
});

test.each([
  "win at casino.example",
  "https://evil.example",
  "evil@example.com",
  "www.evil",
  "casino24.com",
  "pay1.me",
  "casino\u200d.com",
  "casino。com",
  "casino．com",
  "win at http:1249763844",
])("a name that a mail program would turn into a link is not repeated: %s", async (name) => {
  const { html, text } = await renderLetter("confirm-address", { ...PROPS, name }, SITE);

  expect(html + text).not.toContain(name);
  expect(text).toContain("Hello,\n");
});

test.each(["Ada Lovelace", "J. R. R. Tolkien", "Zoë 🌱", "محمد", "O'Brien, Jr."])("a person is greeted by name: %s", async (name) => {
  const { text } = await renderLetter("confirm-address", { ...PROPS, name }, SITE);

  expect(text).toContain(`Hello ${name},`);
});

test("the same input makes the same letter", async () => {
  expect(await renderLetter("confirm-address", PROPS, SITE)).toEqual(await renderLetter("confirm-address", PROPS, SITE));
});

test("a language without messages is written in English, and says so", async () => {
  const { html } = await renderLetter("confirm-address", PROPS, { ...SITE, locale: "tlh" });

  expect(html).toContain('<html lang="en" dir="ltr">');
});

test("the letter for a new password says where to choose it, for how long, and that ignoring it changes nothing", async () => {
  const link = "https://feedback.example.com/reset-password?token=q9Jm2-Zx_41";
  const { subject, text } = await renderLetter("reset-password", { name: "Ada", link }, SITE);

  expect(subject).toBe("Choose a new password for Nimbus Ideas");
  expect(text).toContain(`${link}\n\nThe link works once, and for 1 hour.`);
  expect(text).toContain("your password stays");
});

test("the letter about a changed password says what to do if it was somebody else", async () => {
  const link = "https://feedback.example.com/reset-password";
  const { subject, text } = await renderLetter("password-changed", { name: "Ada", link }, SITE);

  expect(subject).toBe("Your password for Nimbus Ideas was changed");
  expect(text).toContain(`for help:\n\n${link}\n`);
});

test("the letter about a new sign-in says with what, and where to look; of a program it repeats no word", async () => {
  const link = "https://feedback.example.com/me";
  const browser = await renderLetter("new-device", { name: "Ada", browser: "Firefox", system: "Linux", link }, SITE);
  const program = await renderLetter("new-device", { name: "Ada", browser: null, system: null, link }, SITE);

  expect(browser.subject).toBe("New sign-in to your account at Nimbus Ideas");
  const flowing = (text: string) => text.replace(/\s+/g, " ");
  expect(flowing(browser.text)).toContain("with Firefox on Linux.");
  expect(flowing(browser.text)).toContain(`at once: ${link} `);
  expect(flowing(program.text)).toContain("with a program.");
});

test.for([
  ["de", "ltr", "Neues Passwort für Nimbus Ideas wählen"],
  ["ar", "rtl", "اختر كلمة مرور جديدة في Nimbus Ideas"],
] as const)("a letter is written in its reader's language: %s", async ([locale, direction, expected]) => {
  const { subject, html } = await renderLetter("reset-password", PROPS, { ...SITE, locale });

  expect(subject).toBe(expected);
  expect(html).toContain(`<html lang="${locale}" dir="${direction}">`);
});
