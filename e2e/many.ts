import { type APIRequestContext, expect } from "@playwright/test";
import { OWNER } from "./site.ts";

type NewBoard = { name: string; description?: string; isPrivate?: boolean };

/** Boards, made as a program makes them: of some all that matters is the name. */
export async function makeBoards(request: APIRequestContext, url: string, boards: readonly (string | NewBoard)[]): Promise<void> {
  const { user } = await (await request.post(`${url}/api/v1/auth/login`, { data: OWNER })).json();
  const headers = { authorization: `Bearer ${user.authToken}` };
  for (const board of boards) {
    const data = typeof board === "string" ? { name: board } : board;
    expect((await request.post(`${url}/api/v1/boards`, { data, headers })).status()).toBe(201);
  }
}

/** Names for more boards than a page of any list holds. */
export const MANY_NAMES = Array.from({ length: 23 }, (_, index) => `Board ${index + 1}`);
