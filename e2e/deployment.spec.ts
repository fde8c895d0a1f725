import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { reportBar } from "#lib/testing/bars";
import { isFullScale } from "#lib/testing/scale";
import { copyCheckout } from "#scripts/testing/copy";
import { expect, test, WITH_JAVASCRIPT } from "./fixtures.ts";
import { formButton, signIn, unique } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";
import { setUpSite } from "./site.ts";
import { t } from "./words.ts";

const BUILD = "import('./scripts/bootstrap/prepare.mjs').then((prepare) => prepare.prepareBuild())";

let checkout = "";
let next: TestServer | undefined;

/** The next version, built over this one: another text, and another script wherever this one's are. */
async function buildNextVersion(title: string): Promise<void> {
  // At full scale without what builds remember from one to the next: another machine would not have it either.
  await cp(".next", join(checkout, ".next"), { recursive: true, filter: (path) => !isFullScale || path !== ".next/cache" });
  change(join(checkout, "messages/en.json"), (text) => text.replace(`"title": ${JSON.stringify(t("login.title"))}`, `"title": ${JSON.stringify(title)}`));
  for (const path of ["components/ui/use-in-browser.ts", "app/dashboard/boards/board-form.tsx", "components/command-palette.tsx"])
    change(join(checkout, path), (text) => `${text}\nObject.assign(globalThis, { heardVersion: 2 });\n`);
  const { status, stderr } = spawnSync(process.execPath, ["-e", BUILD], { cwd: checkout, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.stringContaining("✓ Building")]);
}

test.afterEach(async () => {
  await next?.stop();
  if (checkout) rmSync(checkout, { recursive: true });
});

function change(path: string, by: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  expect(by(text)).not.toBe(text);
  writeFileSync(path, by(text));
}

test(
  "O11: tabs that were open when a new version came go on: forms, links, and what was not loaded yet",
  WITH_JAVASCRIPT,
  async ({ newVisitor, startOwnServer }) => {
    test.setTimeout(400_000);
    const title = unique("Next");
    checkout = copyCheckout();
    await buildNextVersion(title);
    const former = await setUpSite(await startOwnServer());
    const [form, reader] = [await newVisitor({ url: former.url }), await newVisitor({ url: former.url })];
    await signIn(form, former.owner);
    await form.goto("/dashboard/boards/new");
    const name = unique("Board");
    await form.getByLabel(t("fields.name")).fill(name);
    // What the form asks while somebody types has been answered.
    await expect(form.getByRole("main").getByRole("status")).toContainText(t("boards.form.urlFree"));
    await reader.goto("/");

    await former.stop();
    next = await startServer({ from: former, checkout, env: { PORT: new URL(former.url).port } });
    // Its script is asked for only now.
    await form.keyboard.press("Control+k");
    await expect(form.getByRole("dialog", { name: t("keyboard.palette.title") })).toBeVisible();
    await form.keyboard.press("Escape");
    await formButton(form, t("boards.form.create")).click();
    await expect(form).toHaveURL(/\/dashboard\/boards\?notice=created/);
    await expect(form.getByRole("main").getByRole("link", { name }).first()).toBeVisible();
    await reader
      .getByRole("link", { name: t("site.signIn") })
      .first()
      .click();
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText(title);

    reportBar({ bar: "O11", measure: "open tabs of the last version that went on with the new one", figure: "2 of 2", ok: true });
    await Promise.all([form, reader].map((page) => page.context().close()));
  },
);
