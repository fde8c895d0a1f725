import { expect, test, vi } from "vitest";
import { drawnOnce } from "./once.ts";

test("a picture is drawn once for all who ask, also for those who ask at once", async () => {
  const draw = vi.fn(async () => new Uint8Array([1]));

  const pictures = await Promise.all([1, 2, 3].map(() => drawnOnce("once", draw)));
  pictures.push(await drawnOnce("once", draw));

  expect(draw).toHaveBeenCalledTimes(1);
  expect(new Set(pictures).size).toBe(1);
});

test("of many pictures those asked for last are kept", async () => {
  const draw = vi.fn(async () => new Uint8Array([1]));
  const ask = (index: number) => drawnOnce(`picture ${index}`, draw);
  for (let index = 0; index < 20; index += 1) await ask(index);
  await ask(0);
  await ask(20);
  expect(draw).toHaveBeenCalledTimes(21);

  await ask(0);
  expect(draw).toHaveBeenCalledTimes(21);
  await ask(1);
  expect(draw).toHaveBeenCalledTimes(22);
});

test("a picture that could not be drawn is drawn for the next who asks", async () => {
  const draw = vi.fn(async () => new Uint8Array([1])).mockRejectedValueOnce(new Error("The disk is away"));

  await expect(drawnOnce("again", draw)).rejects.toThrow("away");

  expect(await drawnOnce("again", draw)).toEqual(new Uint8Array([1]));
});
