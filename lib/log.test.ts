import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { withoutQuotations } from "./log.ts";

/** What a process that runs `code` writes to its log. */
function logged(code: string): Record<string, unknown>[] {
  const program = `import { log } from "./lib/log.ts"; ${code}`;
  const env = { ...process.env, LOG_LEVEL: "debug" };
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", env });
  return stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test("of an error its kind, its words and where it came from are written, and nothing that hangs on it", () => {
  const [line] = logged(`
    const cause = Object.assign(new TypeError("below"), { detail: "Key (email)=(ada@example.org) exists" });
    log.error({ err: Object.assign(new Error("above", { cause }), { code: "P2002", params: ["hush"], meta: { rejected: ["ada"] } }) }, "failed");
    log.error({ err: "thrown words" }, "failed");
  `);

  expect(Object.keys(line?.err as object).sort()).toEqual(["cause", "code", "message", "stack", "type"]);
  expect(line).toMatchObject({ msg: "failed", err: { type: "Error", message: "above", code: "P2002", cause: { type: "TypeError", message: "below" } } });
  expect(JSON.stringify(line)).not.toMatch(/hush|ada/);
});

test("why something failed stands on one line", () => {
  const [line] = logged(`log.warn({ reason: "\\nInvalid invocation:\\n\\n\\nIt is away\\n", error: "refused:\\n  no" }, "failed")`);

  expect(line).toMatchObject({ reason: "Invalid invocation: It is away", error: "refused: no" });
});

test("addresses are struck out wherever they stand, and what only looks like one stays", () => {
  const lines = logged(`
    log.info({ route: "/people/ada%40example.org", to: ["Ada <ada.l+x@mail.example.org>"] }, 'refused: "ada@example.org"\\n next');
    log.info({ at: "node_modules/@prisma/client/runtime.js:1:2" }, "50 % @ noon");
  `);

  expect(lines[0]).toMatchObject({ route: "/people/<address>", to: ["Ada <<address>>"], msg: 'refused: "<address>"\n next' });
  expect(lines[1]).toMatchObject({ at: "node_modules/@prisma/client/runtime.js:1:2", msg: "50 % @ noon" });
});

test.for([
  [`Unexpected token 'h', "hunter2\n-Secret!" is not valid JSON`, "Unexpected token 'h', … is not valid JSON"],
  [`Unexpected token, ..."password":hunter2-Se"... is not valid JSON`, "Unexpected token, ...…... is not valid JSON"],
  ["header with value `mail.corp.example` does not match `x`", "header with value … does not match …"],
  ["Failed to find Server Action", "Failed to find Server Action"],
] as const)("what a library quotes is struck out of what it says: %s", ([said, written]) => {
  expect(withoutQuotations(said)).toBe(written);
});
