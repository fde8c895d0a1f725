import { expect, inject, test } from "vitest";
import { apiOf, newEmail, PASSWORD } from "./client.ts";
import { ask } from "./requests.ts";

const { url, ownerToken } = inject("site");
const asOwner = { authorization: `Bearer ${ownerToken}` };
const PATH = "/dashboard/people.csv";
const HEAD = "\uFEFFuserId,name,username,email,role,createdAt,verifiedAt,blockedAt,lastSeenAt,sessionCount";

/** Answers are read byte by byte there. */
function inUtf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

async function signUp(name: string) {
  const email = newEmail();
  const { body } = await apiOf(url).post("/auth/signup", { email, password: PASSWORD, name });
  return { ...body.user, email };
}

test("people come as a table for a spreadsheet, which runs nothing that they are called", async () => {
  const { email, userId } = await signUp('=HYPERLINK("https://evil.example";"Zoë")');

  const { status, headers, text } = await ask(url, `${PATH}?q=${encodeURIComponent(email)}`, { headers: asOwner });

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": expect.stringMatching(/^attachment; filename="people-\d{4}-\d\d-\d\d\.csv"$/),
    "cache-control": "no-store",
  });
  const [head, row, ...rest] = inUtf8(text).split("\r\n");
  expect(head).toBe(HEAD);
  expect(row).toMatch(new RegExp(`^${userId},"'=HYPERLINK\\(""https://evil.example"";""Zoë""\\)",[^,]+,${email},MEMBER,[^,]+Z,,,[^,]+Z,1$`));
  expect(rest).toEqual([""]);
});

test("the table has everybody unless the query says otherwise, and refuses a query that says nothing", async () => {
  const { email } = await signUp("Ada");
  const table = async (query: string) => inUtf8((await ask(url, PATH + query, { headers: asOwner })).text);

  expect(await table("")).toContain(email);
  expect(await table("?show=unconfirmed")).toContain(email);
  expect(await table("?show=blocked")).not.toContain(email);
  expect(await table("?q=nobody-is-called-this")).toBe(`${HEAD}\r\n`);
  expect(await ask(url, `${PATH}?show=some`, { headers: asOwner })).toMatchObject({ status: 400 });
});

test("nobody but an owner gets the table", async () => {
  const { authToken } = await signUp("Ada");

  expect(await ask(url, PATH)).toMatchObject({ status: 401 });
  expect(await ask(url, PATH, { headers: { authorization: `Bearer ${authToken}` } })).toMatchObject({ status: 403 });
});
