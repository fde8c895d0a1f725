import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Checkout, makeCheckout } from "../testing/checkout.ts";

let checkout: Checkout;

beforeEach(() => {
  checkout = makeCheckout();
});

afterEach(() => checkout.remove());

async function startAndStop(options: { env?: Record<string, string>; uid?: number } = {}): Promise<string> {
  const start = await checkout.start(options);
  start.kill("SIGTERM");
  await start.ended;
  return start.said();
}

/** The environment of the build's own start. */
function handed(): Record<string, string> {
  return JSON.parse(readFileSync(join(checkout.path, ".heard/first-start.json"), "utf8"));
}

test("the build's own start is handed none of the owner's settings, and the folder from which npm start takes compiled code", async () => {
  const said = await startAndStop({ env: { DATABASE_URL: "postgresql://127.0.0.1/in-use", SMTP_URL: "smtp://127.0.0.1", NODE_COMPILE_CACHE: "" } });

  const folder = join(checkout.path, ".heard/compiled");
  expect(handed()).toMatchObject({ NODE_ENV: "production", NODE_COMPILE_CACHE: folder });
  expect(Object.keys(handed()).filter((name) => /^(DATABASE|SMTP|PORT|HOST$|DATA_DIR|AUTH)/.test(name))).toEqual([]);
  expect(readFileSync(join(checkout.path, "compiled.txt"), "utf8")).toBe(folder);
  expect(said).not.toContain("could not be prepared");
});

test("where the first start cannot be prepared the site starts all the same, and it is said why", async () => {
  checkout.write("scripts/first-start.ts", `console.error("no room"); process.exit(1);`);

  const said = await startAndStop();

  expect(said).toContain("no room\n… The first start could not be prepared: it takes some seconds more\n");
  expect(said).toContain("ready production");
});

test.runIf(process.getuid?.() === 0)("compiled code that another user's start left is no obstacle to a build", async () => {
  const left = join(checkout.path, ".heard/compiled/of-root");
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, "code"), "");
  execFileSync("chown", ["-R", "65534:65534", checkout.path]);
  execFileSync("chown", ["-R", "0:0", left]);

  expect(await startAndStop({ uid: 65_534 })).toContain("ready production");
  expect(checkout.ran()).toEqual(["generate", "build"]);
});
