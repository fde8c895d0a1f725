import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { getImage } from "../images.ts";
import { getSite } from "../settings.ts";
import { aMember, anOwner, aSite, type Person } from "../testing/people.ts";
import { updateBranding } from "./branding.ts";

useDatabase();

let owner: Person;

beforeEach(async () => {
  await aSite();
  owner = await anOwner();
});

function aPicture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#ff8800" } })
    .png()
    .toBuffer();
}

async function logoId(): Promise<string> {
  return (await getSite()).logo?.split("/").at(-1) ?? "";
}

test("a logo is made small, stored with the color, and shown everywhere", async () => {
  await updateBranding(owner.viewer, { accentColor: "FF8800" }, await aPicture(800, 400));

  const { logo, accentColor } = await getSite();
  expect([logo, accentColor]).toEqual([expect.stringMatching(/^\/images\/[0-9a-f-]{36}$/), "ff8800"]);
  expect(await sharp((await getImage(await logoId())).bytes).metadata()).toMatchObject({ width: 512, height: 256, format: "webp" });
});

test("a new logo takes the place of the old one, and none is left behind when it is removed", async () => {
  await updateBranding(owner.viewer, { accentColor: "ff8800" }, await aPicture(10, 10));
  const first = await logoId();
  await updateBranding(owner.viewer, { accentColor: "ff8800" }, await aPicture(20, 20));

  await expect(getImage(first)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await db.image.count()).toBe(1);
  await updateBranding(owner.viewer, { accentColor: "ff8800" }, "remove");

  expect((await getSite()).logo).toBeNull();
  expect(await db.image.count()).toBe(0);
});

test("a color alone leaves the logo as it is", async () => {
  await updateBranding(owner.viewer, { accentColor: "ff8800" }, await aPicture(10, 10));
  const before = await logoId();

  await updateBranding(owner.viewer, { accentColor: "0088ff" }, "keep");

  expect(await logoId()).toBe(before);
});

test("two logos at once leave one, and no picture that nothing shows", async () => {
  const pictures = await Promise.all([10, 20, 30, 40].map((side) => aPicture(side, side)));

  await Promise.all(pictures.map((picture) => updateBranding(owner.viewer, { accentColor: "ff8800" }, picture)));

  expect(await db.image.findMany({ select: { imageId: true } })).toEqual([{ imageId: await logoId() }]);
});

test.for([
  ["a program", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "UNSUPPORTED_MEDIA_TYPE"],
  ["half a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), "IMAGE_UNREADABLE"],
  ["more than 10 MB", Buffer.alloc(10_000_001), "PAYLOAD_TOO_LARGE"],
] as const)("%s is refused at its field, and nothing is changed", async ([, file, code]) => {
  await expect(updateBranding(owner.viewer, { accentColor: "ff8800" }, file)).rejects.toMatchObject({ code, field: "logo" });

  expect(await getSite()).toMatchObject({ logo: null, accentColor: "0f6b7c" });
});

test("a member may not change how the site looks", async () => {
  const { viewer } = await aMember();

  await expect(updateBranding(viewer, { accentColor: "ff8800" }, "remove")).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(updateBranding(null, { accentColor: "ff8800" }, "remove")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
