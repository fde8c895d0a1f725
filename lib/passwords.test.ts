import bcrypt from "bcryptjs";
import { afterEach, expect, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { BCRYPT_COST, closeHashing, hashingSlots, hashPassword, verifyPassword, withHashingSlot } from "./passwords.ts";

const USER = "0190a8a0-0000-7000-8000-00000000000a";
const OTHER_USER = "0190a8a0-0000-7000-8000-00000000000b";
const SLOTS = hashingSlots();

afterEach(async () => {
  vi.useRealTimers();
  await closeHashing();
});

/** Which of `tries` open what `password` was stored as. */
async function opening(password: string, tries: string[], userId = USER): Promise<string[]> {
  const passwordHash = await hashPassword(password, userId);
  const isOpen = await Promise.all(tries.map((attempt) => verifyPassword(attempt, { userId, passwordHash })));
  return tries.filter((_, index) => isOpen[index]);
}

test("a stored hash costs at least 12", async () => {
  expect(BCRYPT_COST).toBeGreaterThanOrEqual(12);
  expect(bcrypt.getRounds(await hashPassword("correct horse", USER))).toBe(BCRYPT_COST);
});

test.for([
  ["ASCII", "a", 72],
  ["Cyrillic", "я", 36],
  ["emoji", "🎉", 18],
] as const)("in %s, passwords that differ only after byte 72 never open each other", async ([, character, count]) => {
  const first72Bytes = character.repeat(count);
  expect(Buffer.byteLength(first72Bytes)).toBe(72);
  const password = `${first72Bytes}${character}1`;
  const others = [first72Bytes, `${first72Bytes}${character}2`, `${first72Bytes}${character}`, `${first72Bytes}${character}12`].slice(0, scale(2, 4));

  const opened = await opening(password, [password, ...others]);

  expect(opened).toEqual([password]);
  reportBar({
    bar: "A2",
    measure: `differ after byte 72, ${character}`,
    figure: `${opened.length - 1} cross-open`,
    ok: opened.length === 1,
  });
});

test("64 emoji are a password, and one other emoji in it is another", async () => {
  const password = "🎉".repeat(64);

  expect(await opening(password, [password, `${"🎉".repeat(63)}🎊`, "🎉".repeat(63)])).toEqual([password]);
});

test("what comes after a NUL counts", async () => {
  // bcrypt repeats what it is given with a NUL between, so that to bcrypt itself these two are one.
  const [once, twice] = ["longpass", "longpass\0longpass"];
  expect(await bcrypt.compare(twice, await bcrypt.hash(once, 4))).toBe(true);

  expect(await opening(once, [once, twice])).toEqual([once]);
  expect(await opening(twice, [twice, "longpass\0longpast"])).toEqual([twice]);
});

test("the same password from two keyboards is the same, short and long", async () => {
  for (const length of [1, 80]) {
    const [composed, decomposed] = ["\u00e9".repeat(length).padEnd(8, "x"), "e\u0301".repeat(length).padEnd(8 + length, "x")];
    expect(composed).toBe(decomposed.normalize("NFC"));
    expect(await opening(decomposed, [composed, decomposed])).toEqual([composed, decomposed]);
  }
});

test("a long password's hash opens with its own account only", async () => {
  const password = "x".repeat(100);
  const passwordHash = await hashPassword(password, USER);

  expect(await verifyPassword(password, { userId: OTHER_USER, passwordHash })).toBe(false);
});

test("without an account no password is right, not even nobody's", async () => {
  expect(await verifyPassword("correct horse", null)).toBe(false);
});

test("A4: without an account a password is hashed all the same, at the cost of everybody's", async () => {
  const passwordHash = await hashPassword("correct horse", USER);
  const threads = globalThis.heardHashing?.threads;
  const hash = vi.spyOn(threads as NonNullable<typeof threads>, "run");

  await verifyPassword("wrong password", { userId: USER, passwordHash });
  await verifyPassword("wrong password", null);

  const costs = hash.mock.calls.map(([task]) => bcrypt.getRounds((task as { hash: string }).hash));
  expect(costs).toEqual([BCRYPT_COST, BCRYPT_COST]);
});

test("hashing leaves the event loop free", async () => {
  let longestGapMs = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longestGapMs = Math.max(longestGapMs, performance.now() - last);
    last = performance.now();
  }, 5);

  await hashPassword("warm-up of the thread", USER);
  longestGapMs = 0;
  const start = performance.now();
  await hashPassword("correct horse", USER);
  const hashMs = performance.now() - start;
  clearInterval(ticking);

  expect(longestGapMs).toBeLessThan(hashMs / 2);
});

test("only as many hash at once as there are slots, first come, first served", async () => {
  let busy = 0;
  let mostBusy = 0;
  const order: number[] = [];

  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      withHashingSlot("here", async () => {
        busy += 1;
        mostBusy = Math.max(mostBusy, busy);
        order.push(index);
        await new Promise((resolve) => setTimeout(resolve, 2));
        busy -= 1;
      }),
    ),
  );

  expect(mostBusy).toBe(SLOTS);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("places take turns: a crowd in one has others wait for one of it, and not for all", async () => {
  const order: string[] = [];
  const arrivals = [...Array<string>(SLOTS + 20).fill("crowd"), "there", "crowd", "there", "elsewhere"];

  await Promise.all(arrivals.map((place) => withHashingSlot(place, async () => void order.push(place))));

  expect(order.slice(SLOTS, SLOTS + 6)).toEqual(["crowd", "there", "elsewhere", "crowd", "there", "crowd"]);
  expect(order.toSorted()).toEqual(arrivals.toSorted());
});

test("a slot is given back by work that fails", async () => {
  const results = await Promise.allSettled(Array.from({ length: SLOTS * 3 }, () => withHashingSlot("here", () => Promise.reject(new Error("no")))));

  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(await withHashingSlot("here", async () => "free")).toBe("free");
});

test("when 256 wait the next is told to come back, and the ones who wait are served", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const working = Array.from({ length: SLOTS }, () => withHashingSlot("here", () => gate));
  const waiting = Array.from({ length: 256 }, () => withHashingSlot("here", async () => "served"));

  await expect(withHashingSlot("here", async () => "served")).rejects.toMatchObject({
    code: "SERVER_ERROR",
    status: 503,
    message: "Something went wrong!",
    retryAfterSeconds: expect.any(Number),
  });

  open();
  await Promise.all(working);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["served"]));
});

test("of a place that has filled the queue the last gives way to whoever comes from elsewhere", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const working = Array.from({ length: SLOTS }, () => withHashingSlot("here", () => gate));
  const waiting = Array.from({ length: 256 }, () => withHashingSlot("here", async () => "served"));
  const another = withHashingSlot("there", async () => "served");
  const outcomes = Promise.allSettled(waiting);

  open();
  await Promise.all(working);
  expect(await another).toBe("served");
  const refused = (await outcomes).flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
  expect(refused).toEqual([255]);
});

test("who waits longer than ten seconds for a slot is told to come back, and holds none", async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const working = Array.from({ length: SLOTS }, () => withHashingSlot("here", () => gate));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  const refused = expect(withHashingSlot("here", async () => "served")).rejects.toMatchObject({ code: "SERVER_ERROR", status: 503 });
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;

  open();
  await Promise.all(working);
  expect(await withHashingSlot("here", async () => "free")).toBe("free");
});
