import sharp from "sharp";
import { expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { getAvatar, setAvatar } from "./avatars.ts";
import { aMember } from "./testing/people.ts";

useDatabase();

test("a picture holds the initials and nothing else that the person wrote", async () => {
  const { userId } = await aMember({ name: "<&\"'" });

  const svg = (await (await getAvatar(userId)).read()).bytes;

  expect(svg).toMatch(/^<svg [^>]+><rect [^>]+\/><text [^>]+>&#60;<\/text><\/svg>$/);
});

test("a person's color stays the same when their name does not", async () => {
  const { userId } = await aMember({ name: "Ada" });
  const drawn = async () =>
    /^<svg [^>]+><rect [^>]+fill="(#[0-9a-f]{6})"\/><text [^>]+>(.*)<\/text>/.exec(String((await (await getAvatar(userId)).read()).bytes));
  const [, color, letters] = (await drawn()) ?? [];

  await db.user.update({ where: { userId }, data: { name: "Zoe" } });

  expect([color, letters]).toEqual([expect.any(String), "A"]);
  expect((await drawn())?.slice(1)).toEqual([color, "Z"]);
});

test.for(["0190a8a0-0000-7000-8000-00000000000a", "x", "", "../../etc/passwd", "%00"])("there is no picture of %j", async (userId) => {
  await expect(getAvatar(userId)).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
});

/** A picture as somebody could upload it, of one color. */
async function aFile(background = "#0f6b7c"): Promise<Uint8Array> {
  return sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer();
}

test("a picture that a person gives is shown as a small square, and the drawn one is back once it is taken away", async () => {
  const { viewer, userId } = await aMember();
  const drawn = await getAvatar(userId);

  await setAvatar(viewer, await aFile());

  const given = await getAvatar(userId);
  const { bytes, type } = await given.read();
  expect(type).toBe("image/webp");
  expect(await sharp(bytes as Uint8Array).metadata()).toMatchObject({ format: "webp", width: 192, height: 192 });
  await setAvatar(viewer, await aFile("#ffffff"));
  const versions = [drawn.version, given.version, (await getAvatar(userId)).version];
  expect(new Set(versions).size).toBe(3);
  expect(await db.image.count()).toBe(1);
  await setAvatar(viewer, null);
  expect((await getAvatar(userId)).version).toBe(drawn.version);
  expect(await db.image.count()).toBe(0);
});

test("of several pictures given at once one stays, and nothing is left of the others", async () => {
  const { viewer } = await aMember();
  const file = await aFile();

  await Promise.all(Array.from({ length: 4 }, () => setAvatar(viewer, file)));

  expect(await db.image.count()).toBe(1);
});

test("what is no picture, or too large, is refused, and the picture so far stays", async () => {
  const { viewer, userId } = await aMember();
  await setAvatar(viewer, await aFile());
  const { version } = await getAvatar(userId);

  await expect(setAvatar(viewer, new Uint8Array())).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", field: "picture" });
  await expect(setAvatar(viewer, Buffer.from("<svg/>"))).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  await expect(setAvatar(viewer, new Uint8Array(10_000_001))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", field: "picture" });
  expect((await getAvatar(userId)).version).toBe(version);
  await expect(setAvatar(null, null)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
