import { expect, test } from "vitest";
import { composeCard, type Sheet } from "./sheet.ts";

const SHEET: Sheet = { title: "", description: "", siteTitle: "Nimbus", footer: "6 posts", sign: null, bar: "0f6b7c", ink: "0f6b7c", logo: null };

test.for([
  ["طلبات الميزات", "rtl", "right"],
  ["Feature requests", "ltr", "left"],
] as const)("below %s what is counted stands where the title does, and runs its own way", async ([title, direction, side]) => {
  const { drawing } = await composeCard({ ...SHEET, title });

  expect(drawing).toMatchObject({ style: { direction } });
  expect(JSON.stringify(drawing)).toContain(`"direction":"ltr","textAlign":"${side}"`);
});
