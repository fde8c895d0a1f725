import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#lib/testing/database";
import { createBoard } from "./boards.ts";
import { boardCard, type Card, cardVersion, drawCard, siteCard } from "./cards.ts";
import { updateBranding } from "./settings/branding.ts";
import { getSite } from "./settings.ts";
import { anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite({ description: "What should we build next?" });
  owner = await anOwner();
});

/** The colors of a card's pixels, as `r,g,b`, and how many have each. */
async function colorsOf(card: Card): Promise<Map<string, number>> {
  const { data, info } = await sharp(await drawCard(card))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([1200, 630]);
  const pixels = Array.from({ length: data.length / 3 }, (_, index) => data.subarray(index * 3, index * 3 + 3).join());
  return new Map([...Map.groupBy(pixels, (pixel) => pixel)].map(([color, all]) => [color, all.length]));
}

test("the site's card counts the public boards, and stands on light paper under the site's color", async () => {
  await createBoard(owner.viewer, { name: "Ideas" });
  await createBoard(owner.viewer, { name: "Secret", isPrivate: true });

  const card = siteCard(await getSite());

  expect(card).toMatchObject({ title: "Nimbus", description: "What should we build next?", count: { boards: 1 } });
  const colors = await colorsOf(card);
  expect(colors.get("250,249,247")).toBeGreaterThan(500_000);
  expect(colors.get("15,107,124")).toBeGreaterThanOrEqual(1200 * 16);
});

test("a board's card has its emoji for a sign, and its name without it", async () => {
  const board = await createBoard(owner.viewer, { name: "💡 Feature requests", description: "One wish per post" });

  expect(boardCard(await getSite(), board)).toMatchObject({ title: "Feature requests", siteTitle: "Nimbus", board: { emoji: "💡", color: board.color } });
});

test.for(["طلبات الميزات", "W".repeat(60), "👩‍💻 Team", "Łódź"])("%s is drawn", async (name) => {
  const board = await createBoard(owner.viewer, { name });

  const colors = await colorsOf(boardCard(await getSite(), board));

  expect(colors.get("29,26,22")).toBeGreaterThan(1_000);
});

test.for(["機能リクエスト", "Идеи"])("for %s, which no typeface here has, mark and color stand alone", async (name) => {
  const board = await createBoard(owner.viewer, { name });

  const colors = await colorsOf(boardCard(await getSite(), board));

  expect(colors.get("15,107,124")).toBeGreaterThan(600_000);
  expect(colors.get("29,26,22")).toBeUndefined();
});

test("the owner's logo is on the card", async () => {
  const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#ff00ff" } })
    .png()
    .toBuffer();
  await updateBranding(owner.viewer, { accentColor: "0f6b7c" }, logo);

  const colors = await colorsOf(siteCard(await getSite()));

  expect([...colors.keys()].some((color) => /^2[45]\d,\d,2[45]\d$/.test(color))).toBe(true);
});

test("the version is another where anything that the card shows is another", async () => {
  const board = await createBoard(owner.viewer, { name: "Ideas" });
  const site = await getSite();
  const cards = [
    boardCard(site, board),
    boardCard(site, { ...board, postCount: 1 }),
    boardCard(site, { ...board, name: "Other" }),
    boardCard({ ...site, accentColor: "ff8800" }, board),
    boardCard({ ...site, locale: "ar" }, board),
  ];

  expect(new Set(cards.map(cardVersion)).size).toBe(cards.length);
  expect(cardVersion(boardCard(site, { ...board }))).toBe(cardVersion(boardCard(site, board)));
});
