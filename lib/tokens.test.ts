import { expect, test } from "vitest";
import { createToken, hashToken } from "./tokens.ts";

test("a token holds 256 random bits that fit into a URL and a header", () => {
  const tokens = Array.from({ length: 1000 }, () => createToken().token);

  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("what is stored of a token is its SHA-256, not the token", () => {
  const { token, tokenHash } = createToken();

  expect(tokenHash).toEqual(hashToken(token));
  expect(tokenHash).toHaveLength(32);
  expect(Buffer.from(tokenHash).toString()).not.toContain(token);
  expect(Buffer.from(hashToken("abc")).toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
