import sharp from "sharp";
import { expect, test } from "vitest";
import { canDraw, drawPng } from "./drawing.ts";

test.for(["Nimbus feedback", "Łódź, Žižka & Ærøskøbing", "طلبات الميزات (API v2)", "💡 Ideas", "👩‍💻", "🇩🇪 1️⃣ 👍🏽", "“…” – €"])("%s can be drawn", (text) => {
  expect(canDraw(text)).toBe(true);
});

test.for(["機能リクエスト", "Идеи", "Nimbus ⌘ Ideas", "รายการ"])("%s has characters that would be empty boxes", (text) => {
  expect(canDraw(text)).toBe(false);
});

test("a drawing is a PNG of its size, in its colors", async () => {
  const png = await drawPng({ type: "container", style: { width: 120, height: 63, backgroundColor: "#0f6b7c" } }, { width: 120, height: 63 });

  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, ...data.subarray(0, 3)]).toEqual([120, 63, 0x0f, 0x6b, 0x7c]);
});
