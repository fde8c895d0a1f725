import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { createBoard, updateBoard } from "../boards.ts";
import { aMember, anOwner, aSite, type Person } from "../testing/people.ts";
import { deleteBoard } from "./deletion.ts";
import { boardUrl, checkUrl, urlFromName, urlFromTyped } from "./urls.ts";

useDatabase();

let owner: Person["viewer"];

beforeEach(async () => {
  await aSite();
  owner = (await anOwner()).viewer;
});

test.for([
  ["Ideas", "ideas"],
  ["  What we NEED!  ", "what-we-need"],
  ["a -- b_c", "a-b-c"],
  ["Ünïcode Straße", "ünïcode-straße"],
  ["Cafe\u0301", "caf\u00e9"],
  ["Идеи и ошибки", "идеи-и-ошибки"],
  ["한국어 게시판", "한국어-게시판"],
  ["नमस्ते दुनिया", "नमस्ते-दुनिया"],
  ["أفكار جديدة", "أفكار-جديدة"],
  ["アイデア、バグ", "アイデア-バグ"],
  ["v2.0", "v2-0"],
  ["❤️ Ideas", "ideas"],
  ["Ideas ❤️", "ideas"],
  ["#️⃣ tags", "tags"],
  ["1️⃣ First", "1-first"],
  ["👨‍👩‍👧 Family", "family"],
  ["🎉", ""],
  ["!?", ""],
  ["\u0301", ""],
  ["../../etc", "etc"],
] as const)("the name %j suggests the address %j", ([name, url]) => {
  expect(urlFromName(name)).toBe(url);
});

test("every suggested address is one, with room for a number behind it", () => {
  const names = fc.oneof(
    fc.string({ unit: "binary", maxLength: 120 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom("a", "Z", "-", " ", "\u0301", "İ", "ẞ", "\ufe0f", "9"), maxLength: 100 }),
  );
  fc.assert(
    fc.property(names, (name) => {
      const url = urlFromName(name);
      if (url === "") return;
      expect(boardUrl.parse(url)).toBe(url);
      expect(boardUrl.parse(`${url}-9999999`)).toBe(`${url}-9999999`);
    }),
    { numRuns: 500 },
  );
});

test.for(["a", "9", "ideas", "ideas-2", "идеи", "한국어-게시판", "नमस्ते", "x".repeat(80), "я".repeat(80)])("%s can be an address", (url) => {
  expect(boardUrl.parse(url)).toBe(url);
});

test.for(["", "-", "a-", "-a", "a--b", "A", "Идеи", "a b", "a_b", "a.b", "a/b", "🎉", "\u0301", "a-\u0301", "x".repeat(81), "a\n", "a\u200b", "＠", "%41"])(
  "%j cannot be an address",
  (url) => {
    expect(boardUrl.safeParse(url).success).toBe(false);
  },
);

test("an address is the same from two keyboards", () => {
  expect(boardUrl.parse("cafe\u0301")).toBe("caf\u00e9");
});

test("a taken address gets a number, also where it was taken once or by a board since deleted", async () => {
  const urls = [];
  const [first, second] = [await createBoard(owner, { name: "Ideas" }), await createBoard(owner, { name: "Ideas!" })];
  await updateBoard(owner, first.boardId, { url: "wishes" });
  await deleteBoard(owner, second.boardId);
  for (let count = 0; count < 3; count += 1) urls.push((await createBoard(owner, { name: "ideas" })).url);

  expect([first.url, second.url, ...urls]).toEqual(["ideas", "ideas-2", "ideas-3", "ideas-4", "ideas-5"]);
});

test("a name of emoji alone gets board and digits", async () => {
  const urls = [await createBoard(owner, { name: "🎉" }), await createBoard(owner, { name: "🎉" })].map(({ url }) => url);

  for (const url of urls) expect(url).toMatch(/^board-\d{6,7}$/);
  expect(new Set(urls).size).toBe(2);
});

test("the longest name with the most namesakes still gets an address", async () => {
  const name = "я".repeat(60);
  const urls = Array.from({ length: 21 }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`));
  const { boardId } = await createBoard(owner, { name: "Holder" });
  await db.boardUrl.createMany({ data: urls.map((url) => ({ url, boardId })) });

  const { url } = await createBoard(owner, { name });

  expect(url).toMatch(new RegExp(`^${name}-\\d{6,7}$`));
});

test.for([
  ["Not An Address!", "not-an-address"],
  [" ideas ", "ideas"],
  ["Cafe\u0301", "caf\u00e9"],
  ["a".repeat(80), "a".repeat(80)],
  ["!!!", ""],
  ["", ""],
] as const)("what is typed as the address %j becomes %j", ([typed, url]) => {
  expect(urlFromTyped(typed)).toBe(url);
});

test("while it is typed, an address is free unless another board has or had it", async () => {
  const { boardId } = await createBoard(owner, { name: "Ideas" });
  await updateBoard(owner, boardId, { url: "wishes" });

  for (const url of ["ideas", "WISHES!"]) {
    expect(await checkUrl(owner, { url })).toEqual({ normalized: url === "ideas" ? url : "wishes", free: false });
    expect((await checkUrl(owner, { url, boardId })).free).toBe(true);
  }
  expect(await checkUrl(owner, { url: "Bug reports" })).toEqual({ normalized: "bug-reports", free: true });
  expect(await checkUrl(owner, { url: " ", name: "💡 Ideas" })).toEqual({ normalized: "ideas-2", free: true });
  for (const query of [{}, { url: "!!!" }, { name: "🎉" }, { boardId: "x" }, { url: " ", name: "💡 Ideas", boardId }])
    expect(await checkUrl(owner, query)).toEqual({ normalized: "", free: true });
});

test("only the team is told which addresses are taken", async () => {
  const { viewer: member } = await aMember();

  await expect(checkUrl(null, { url: "ideas" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await expect(checkUrl(member, { url: "ideas" })).rejects.toMatchObject({ code: "FORBIDDEN" });
});
