import { expect, test } from "vitest";
import { composeCard, type Sheet } from "./sheet.ts";

const SHEET: Sheet = { title: "", description: "", siteTitle: "Nimbus!", footer: "6 posts", sign: null, bar: "0f6b7c", ink: "0f6b7c", logo: null };

type Drawn = Awaited<ReturnType<typeof composeCard>>["drawing"];

/** Every text of a drawing, with how it runs. */
function textsOf(drawing: Drawn): unknown[] {
  if (drawing.type === "text") return [{ text: drawing.text, direction: drawing.style?.direction, textAlign: drawing.style?.textAlign }];
  return drawing.type === "container" ? (drawing.children ?? []).flatMap(textsOf) : [];
}

test.for([
  ["طلبات الميزات", "rtl", "right"],
  ["Feature requests", "ltr", "left"],
] as const)("on the card of %s every other text stands where the title does, and runs its own way", async ([title, direction, side]) => {
  const { drawing } = await composeCard({ ...SHEET, title, description: "كل ما تريد!" });

  expect(drawing).toMatchObject({ style: { direction } });
  for (const [text, runs] of [
    ["Nimbus!", "ltr"],
    ["6 posts", "ltr"],
    ["كل ما تريد!", "rtl"],
  ])
    expect(textsOf(drawing)).toContainEqual({ text, direction: runs, textAlign: side });
});
