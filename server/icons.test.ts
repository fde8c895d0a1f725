import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "#lib/testing/database";
import { drawIcon, ICONS, type Icon, iconPath, iconVersion, siteIcon } from "./icons.ts";
import { updateBranding } from "./settings/branding.ts";
import { getSite } from "./settings.ts";
import { anOwner, aSite, type Person } from "./testing/people.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite();
  owner = await anOwner();
});

/** A site of another color than the default, and with this logo. */
async function brand(logo: "keep" | { width: number; height: number }): Promise<void> {
  const file =
    logo === "keep"
      ? logo
      : await sharp({ create: { ...logo, channels: 4, background: "#ff00ff" } })
          .png()
          .toBuffer();
  await updateBranding(owner.viewer, { accentColor: "0a6b2f" }, file);
}

/** An icon as it is drawn: its side, and the color at a place, whose parts are given as shares of the side. */
async function look(icon: Icon) {
  const { data, info } = await sharp(await drawIcon(icon))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
  const all = Array.from({ length: width * height }, (_, index) => ({ x: index % width, y: Math.floor(index / width) }));
  return { width, height, pixel, corner: pixel(0, 0), all };
}

const [GREEN, PAPER, WHITE] = [
  [10, 107, 47, 255],
  [250, 249, 247, 255],
  [255, 255, 255, 255],
];

test.for(["180.png", "192.png", "512.png", "maskable.png"] as const)("%s is Heard's mark in white on the site's color, as large as it says", async (name) => {
  await brand("keep");

  const { width, height, pixel, all } = await look(siteIcon(await getSite(), name));

  expect([width, height]).toEqual([ICONS[name].side, ICONS[name].side]);
  expect(pixel(width / 2, 2)).toEqual(GREEN);
  expect(all.filter(({ x, y }) => pixel(x, y).join() === WHITE.join()).length).toBeGreaterThan(width * height * 0.1);
});

test.for(["keep", { width: 64, height: 64 }] as const)(
  "Apple's icon and the one that is cut are filled to their corners, the others are round there: logo %j",
  async (logo) => {
    await brand(logo);
    const site = await getSite();

    const corners = await Promise.all(Object.keys(ICONS).map(async (name) => [name, (await look(siteIcon(site, name))).corner[3]]));

    expect(Object.fromEntries(corners)).toEqual({ "180.png": 255, "192.png": 0, "512.png": 0, "maskable.png": 255 });
  },
);

test.for(["keep", { width: 256, height: 256 }] as const)("what is cut to a circle keeps its mark whole: logo %j", async (logo) => {
  await brand(logo);

  const { width, pixel, all, corner } = await look(siteIcon(await getSite(), "maskable.png"));

  const beyond = all.filter(({ x, y }) => Math.hypot(x + 0.5 - width / 2, y + 0.5 - width / 2) > width * 0.4);
  expect(beyond.filter(({ x, y }) => pixel(x, y).join() !== corner.join())).toEqual([]);
});

test("the owner's logo stands whole, as wide as it is, on light paper", async () => {
  await brand({ width: 256, height: 128 });

  const { width, pixel } = await look(siteIcon(await getSite(), "512.png"));

  const isLogo = ([r = 0, g = 0, b = 0]: number[]) => r > 240 && g < 10 && b > 240;
  expect(isLogo(pixel(width / 2, width / 2))).toBe(true);
  expect(isLogo(pixel(Math.round(width * 0.2), width / 2))).toBe(true);
  expect(pixel(width / 2, Math.round(width * 0.28))).toEqual(PAPER);
});

test("an icon of a site that nobody has set up is Heard's own", async () => {
  const { pixel } = await look(siteIcon({ accentColor: "0f6b7c", logo: null }, "180.png"));

  expect(pixel(2, 2)).toEqual([15, 107, 124, 255]);
});

test("the address is another where anything that the icon shows is another", async () => {
  const site = await getSite();
  const icons = [
    siteIcon(site, "192.png"),
    siteIcon(site, "512.png"),
    siteIcon({ ...site, accentColor: "ff8800" }, "192.png"),
    siteIcon({ ...site, logo: "/images/0190a8a0-0000-7000-8000-00000000dead" }, "192.png"),
  ];

  expect(new Set(icons.map(iconVersion)).size).toBe(icons.length);
  const renamed = { ...site, title: "Other" };
  expect(iconPath(siteIcon(renamed, "192.png"))).toBe(iconPath(siteIcon(site, "192.png")));
});

test.for(["x", "181.png", "toString", ""])("%j is no icon", (name) => {
  expect(() => siteIcon({ accentColor: "0f6b7c", logo: null }, name)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
});
