import { expect, test, vi } from "vitest";
import type { Card } from "../cards.ts";
import { drawnCard } from "./drawn.ts";

function aCard(title: string): Card {
  return { title, description: "", siteTitle: "", siteColor: "0f6b7c", board: null, logo: null, locale: "en", count: { posts: 0 } };
}

test("a card is drawn once for all who ask, also for those who ask at once", async () => {
  const draw = vi.fn(async () => new Uint8Array([1]));

  const pictures = await Promise.all([1, 2, 3].map(() => drawnCard(aCard("Once"), draw)));
  pictures.push(await drawnCard(aCard("Once"), draw));

  expect(draw).toHaveBeenCalledTimes(1);
  expect(new Set(pictures).size).toBe(1);
});

test("of many cards those asked for last are kept", async () => {
  const draw = vi.fn(async () => new Uint8Array([1]));
  const ask = (index: number) => drawnCard(aCard(`Card ${index}`), draw);
  for (let index = 0; index < 20; index += 1) await ask(index);
  await ask(0);
  await ask(20);
  expect(draw).toHaveBeenCalledTimes(21);

  await ask(0);
  expect(draw).toHaveBeenCalledTimes(21);
  await ask(1);
  expect(draw).toHaveBeenCalledTimes(22);
});

test("a card that could not be drawn is drawn for the next who asks", async () => {
  const draw = vi.fn(async () => new Uint8Array([1])).mockRejectedValueOnce(new Error("The disk is away"));

  await expect(drawnCard(aCard("Again"), draw)).rejects.toThrow("away");

  expect(await drawnCard(aCard("Again"), draw)).toEqual(new Uint8Array([1]));
});
