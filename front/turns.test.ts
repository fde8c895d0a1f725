import { setImmediate as anotherTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurns } from "./turns.ts";

test("of what comes together one piece is begun in each turn, and has gone on as far as it can before the next", async () => {
  const said: string[] = [];
  const inTurn = inTurns();
  const piece = (name: string) => async () => {
    said.push(`${name} begins`);
    await Promise.resolve();
    said.push(`${name} goes on`);
  };

  for (const name of ["one", "two", "three"]) inTurn(piece(name));
  for (let turn = 1; turn <= 3; turn++) {
    await anotherTurn();
    said.push(`turn ${turn}`);
  }

  expect(said).toEqual(["one begins", "one goes on", "two begins", "two goes on", "turn 1", "three begins", "three goes on", "turn 2", "turn 3"]);
});

test("what comes alone is begun at once, and so is what comes after a crowd", async () => {
  const begun: string[] = [];
  const inTurn = inTurns();

  inTurn(() => begun.push("alone"));
  expect(begun).toEqual(["alone"]);
  for (const name of ["one", "two"]) inTurn(() => begun.push(name));
  for (let turn = 0; turn < 4; turn++) await anotherTurn();
  inTurn(() => begun.push("later"));

  expect(begun).toEqual(["alone", "one", "two", "later"]);
});

test("what throws as it begins keeps nobody else from beginning", async () => {
  const begun: string[] = [];
  const inTurn = inTurns();

  expect(() =>
    inTurn(() => {
      throw new Error("refused");
    }),
  ).toThrow("refused");
  inTurn(() => begun.push("next"));
  await anotherTurn();

  expect(begun).toEqual(["next"]);
});
