import { expect, test } from "./fixtures.ts";
import { expectSignedIn, formButton } from "./people.ts";
import { OWNER } from "./site.ts";
import { fill, fillOwner, GOOD, goOn, hearOfOwner, send } from "./wizard.ts";
import { t } from "./words.ts";

test("a wizard that finds fault says what to change where it was typed, has kept the rest, and has changed nothing", async ({
  startOwnServer,
  newVisitor,
  request,
}) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.goto("/setup");
  await goOn(page);
  await hearOfOwner(page);
  await expect(page.getByLabel(t("fields.email"))).toHaveAccessibleDescription(new RegExp(t("errors.EMAIL_INVALID")));
  await expect(page.getByLabel(t("fields.name"), { exact: true })).toHaveAttribute("aria-invalid", "true");

  await page.goto("/setup");
  await fill(page, GOOD);
  const back = formButton(page, t("setup.steps.back"));
  if (await back.isVisible()) await back.click();
  await fillOwner(page, { email: "olive at example", password: "seven77" });
  await page.getByLabel(t("fields.blockCommonPasswords")).uncheck();
  await hearOfOwner(page);

  const summary = page.getByRole("alert").filter({ hasText: t("errors.EMAIL_INVALID") });
  await expect(summary).toContainText(t("errors.PASSWORD_TOO_SHORT"));
  await expect(summary).toBeFocused();
  await expect(page.getByLabel(t("fields.email"))).toHaveAccessibleDescription(new RegExp(t("errors.EMAIL_INVALID")));
  await expect(page.getByLabel(t("fields.password"), { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel(t("fields.name"), { exact: true })).toHaveValue(GOOD.name as string);
  await expect(page.getByLabel(t("fields.email"))).toHaveValue("olive at example");
  await expect(page.getByLabel(t("fields.siteTitle"))).toHaveValue(GOOD.siteTitle as string);
  await expect(page.getByLabel(t("fields.boardName"))).toHaveValue(GOOD.boardName as string);
  await expect(page.getByLabel(t("fields.blockCommonPasswords"))).not.toBeChecked();
  expect(await page.content()).not.toContain("seven77");
  expect(await (await request.get(`${url}/api/v1/auth/setup`)).json()).toEqual({ is_setup: false });

  await summary.getByRole("link", { name: t("errors.EMAIL_INVALID") }).click();
  await expect(page.getByLabel(t("fields.email"))).toBeFocused();
  await fillOwner(page, { email: OWNER.email, password: OWNER.password });
  await goOn(page);
  await send(page);
  await expectSignedIn(page);
});

test("a common password is said where it was typed, and taken from who does not mind", async ({ startOwnServer, newVisitor }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.goto("/setup");
  await goOn(page);
  const { boardName: _, ...owner } = GOOD;
  await fillOwner(page, { ...owner, password: "Password1" });
  await hearOfOwner(page);

  await expect(page.getByLabel(t("fields.password"), { exact: true })).toHaveAccessibleDescription(new RegExp(t("errors.PASSWORD_TOO_COMMON")));
  await expect(page.getByLabel(t("fields.password"), { exact: true })).toBeVisible();

  await page.getByLabel(t("fields.blockCommonPasswords")).uncheck();
  await fillOwner(page, { password: "Password1" });
  await goOn(page);
  await send(page);
  await expectSignedIn(page);
});

test("a board of one's own needs a name, which is said where it is asked for", async ({ startOwnServer, newVisitor, request }) => {
  const { url } = await startOwnServer();
  const page = await newVisitor({ url });
  await page.goto("/setup");
  await fill(page, { ...GOOD, boardName: " " });
  await send(page);

  const boardName = page.getByLabel(t("fields.boardName"));
  await expect(boardName).toHaveAccessibleDescription(t("errors.problems.noBoardName"));
  expect(await (await request.get(`${url}/api/v1/auth/setup`)).json()).toEqual({ is_setup: false });

  // Without JavaScript it is asked for once more, on the same page.
  const password = page.getByLabel(t("fields.password"), { exact: true });
  if (await password.isVisible()) await password.fill(GOOD.password ?? "");
  await boardName.fill("Mine");
  await send(page);
  await expectSignedIn(page);
});

test("all that is wrong with the answers asked for is named at once, a common password beside what is empty", async ({
  startOwnServer,
  newVisitor,
  javaScriptEnabled,
}) => {
  const { url } = await startOwnServer({ SETUP_TOKEN: "open sesame" });
  const page = await newVisitor({ url });
  const wrong = { name: " ", siteTitle: " ", password: "Password1" };
  await page.goto("/setup");
  const ofOwner = ["problems.noSiteTitle", "problems.noSetupToken", "problems.noName", "PASSWORD_TOO_COMMON"] as const;
  // Where all steps stand on one page, a board's name is asked for with them.
  if (javaScriptEnabled === false) await fill(page, { ...GOOD, ...wrong, boardName: " " });
  else await fill(page, { ...GOOD, ...wrong, boardName: undefined });
  await hearOfOwner(page);

  const problems = javaScriptEnabled === false ? [...ofOwner, "problems.noBoardName" as const] : ofOwner;
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary.getByRole("link")).toHaveText(problems.map((problem) => t(`errors.${problem}`)));
});
