import { expect, test } from "vitest";
import { useDatabase } from "#lib/testing/database";
import { GET } from "./route.ts";

useDatabase();

test("what shows a link as a card may read every page that says how: the first one, a board's, and those to sign in and up", async () => {
  const response = await GET(new Request("http://localhost:4400/robots.txt"), { params: Promise.resolve({}) });
  const closed = [...(await response.text()).matchAll(/^Disallow: (.+)$/gm)].map(([, path = ""]) => path);

  expect(closed).toContain("/dashboard");
  for (const page of ["/", "/boards/ideas", "/login", "/signup"]) expect(closed.filter((path) => page.startsWith(path))).toEqual([]);
});
