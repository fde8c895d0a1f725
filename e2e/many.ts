import { type APIRequestContext, expect } from "@playwright/test";
import { OWNER } from "./site.ts";

/** As many boards as asked for, made as a program makes them: a list that goes on to another page. */
export async function makeBoards(request: APIRequestContext, url: string, names: readonly string[]): Promise<void> {
  const { user } = await (await request.post(`${url}/api/v1/auth/login`, { data: OWNER })).json();
  const headers = { authorization: `Bearer ${user.authToken}` };
  for (const name of names) expect((await request.post(`${url}/api/v1/boards`, { data: { name }, headers })).status()).toBe(201);
}

/** Names for more boards than a page of any list holds. */
export const MANY_NAMES = Array.from({ length: 23 }, (_, index) => `Board ${index + 1}`);
