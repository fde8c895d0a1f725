import { expect, test } from "vitest";
import { z } from "zod";
import { readableBy, withNotice } from "./urls.ts";

test("of a query is kept what can be read, as it stands there", () => {
  const schema = z.object({ limit: z.coerce.number().max(100).default(20), q: z.string().trim().default(""), after: z.uuid().optional() });

  expect(readableBy(schema, { limit: "7", q: " sheep ", after: "x", utm: "1" })).toEqual({ limit: "7", q: " sheep " });
  expect(readableBy(schema, {})).toEqual({});
});

test.for([
  ["/", "/?notice=saved"],
  ["/search?q=a%20b&notice=old#c", "/search?q=a+b&notice=saved#c"],
  ["/boards/%C3%A9", "/boards/%C3%A9?notice=saved"],
] as const)("an address keeps what else it asks for beside its notice: %s", ([path, expected]) => {
  expect(withNotice(path, "saved")).toBe(expected);
});
