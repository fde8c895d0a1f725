import sharp from "sharp";
import { expect, test } from "vitest";
import { canDraw, cutToLines, drawPng } from "./drawing.ts";

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

const ROOM = { width: 1040, lines: 2 };
const SETTING = { fontSize: 34, lineHeight: 1.4 };

test.for([
  ["Latin", "Say what you do today, how often, and who else would be glad of it. "],
  ["Arabic", "نرجو أن تصف ما تودّ أن نحسّنه بأكبر قدر ممكن من التفصيل حتى يفهم الفريق المشكلة. "],
  ["one long word", "W".repeat(90)],
  ["emoji", "👩‍💻".repeat(20)],
])("of words that take too many lines as much stays as fills those there are: %s", async ([, part = ""]) => {
  const text = part.repeat(6);

  const cut = await cutToLines(text, SETTING, ROOM);

  // One letter more, with the space that may be before it, would not have fitted.
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const first = (count: number) => letters.slice(0, count).join("").trimEnd();
  const count = letters.findIndex((_, place) => first(place) === cut.slice(0, -1));
  expect([cut.at(-1), count > 0]).toEqual(["…", true]);
  expect(await cutToLines(cut, SETTING, ROOM)).toBe(cut);
  const longer = `${first(count + 2)}…`;
  expect(await cutToLines(longer, SETTING, ROOM)).not.toBe(longer);
});

test("words that fit stay whole", async () => {
  expect(await cutToLines("طلبات الميزات", SETTING, { ...ROOM, lines: 1 })).toBe("طلبات الميزات");
});
