import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

const TWO_LINES = `log.warn("one"); log.warn("two");`;
const MANY = 20_000;

/** A process that says `ready`, waits to be spoken to and then runs `code`, its standard error going to `stderr`. */
async function aProcess(code: string, stderr: "pipe" | number = "pipe") {
  const program = `import { log, logWritten } from "./lib/log.ts"; process.stdin.once("data", () => { ${code} }); process.stdout.write("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", stderr],
    env: { ...process.env, LOG_LEVEL: "warn", UV_THREADPOOL_SIZE: "1" },
  });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return { child, ended: once(child, "exit"), begin: () => child.stdin?.write("go") };
}

test("a process ends although nobody reads its last lines", async () => {
  const { child, ended, begin } = await aProcess(`${TWO_LINES} process.exit(0);`);
  child.stderr?.destroy();
  begin();

  expect(await ended).toEqual([0, null]);
});

test("a process ends although whoever reads its lines has stopped to", async () => {
  const { ended, begin } = await aProcess(`for (let n = 0; n < ${MANY}; n++) log.warn("a line"); process.exit(0);`);
  begin();

  expect(await ended).toEqual([0, null]);
});

test.runIf(process.platform === "linux")("and so does one whose pipe another process has shared, which has ended", { timeout: 20_000 }, async () => {
  const other = `import("node:child_process").then(({ spawnSync }) => spawnSync(process.execPath, ["-e", "process.stderr.write('x')"], { stdio: "inherit" }))`;
  const program = `import { log } from "./lib/log.ts"; await ${other}; for (let n = 0; n < ${MANY}; n++) log.warn("a line"); setTimeout(() => process.exit(3), 300);`;
  const command = 'exec 3>&1; { "$0" --input-type=module -e "$1" 2>&1 >&3; echo "ended with $?" >&3; } | sleep 600';
  const child = spawn("sh", ["-c", command, process.execPath, program], { env: { ...process.env, LOG_LEVEL: "warn" }, detached: true });
  onTestFinished(() => void process.kill(-(child.pid as number), "SIGKILL"));

  expect(String(await once(child.stdout, "data"))).toBe("ended with 3\n");
});

test.runIf(process.platform === "linux")("a process goes on, and ends well, although the disk that its lines go to is full", async () => {
  const { child, ended, begin } = await aProcess(
    `${TWO_LINES} setTimeout(() => { process.stdout.write("goes on"); log.fatal("three"); ${TWO_LINES} process.exit(0); }, 200);`,
    openSync("/dev/full", "w"),
  );
  begin();

  expect(await text(child.stdout as NodeJS.ReadableStream)).toBe("goes on");
  expect(await ended).toEqual([0, null]);
});

test("a reader who is slow to begin gets every line whole and in order, the last ones too", async () => {
  const { child, ended, begin } = await aProcess(
    `for (let n = 0; n < ${MANY}; n++) log.warn({ n }, "я");  setTimeout(() => log.warn({ n: ${MANY} }, "я"), 300);`,
  );
  begin();
  child.stdin?.end();
  await sleep(500);
  const lines = (await text(child.stderr as NodeJS.ReadableStream)).trim().split("\n");

  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: MANY + 1 }, (_, n) => n));
  expect(await ended).toEqual([0, null]);
});

test("a process that waits until its lines are written, and then ends by itself, loses none of them", async () => {
  // The one thread that writes has something else to do first.
  const busy = `process.getBuiltinModule("node:crypto").pbkdf2("x", "y", 20_000, 64, "sha512", () => {});`;
  const { child, ended, begin } = await aProcess(`${busy} for (let n = 0; n < 100; n++) log.warn({ n }, "a line"); logWritten().then(() => process.exit(0));`);
  begin();
  const lines = (await text(child.stderr as NodeJS.ReadableStream)).trim().split("\n");

  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(await ended).toEqual([0, null]);
});

test("a process that ends at once loses none of its lines", async () => {
  const { child, ended, begin } = await aProcess(`for (let n = 0; n < 100; n++) log.warn({ n }, "a line"); process.exit(0);`);
  begin();
  const lines = (await text(child.stderr as NodeJS.ReadableStream)).trim().split("\n");

  // The first ones may still be on their way in the background, and come last.
  expect(lines.map((line) => JSON.parse(line).n).sort((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(await ended).toEqual([0, null]);
});

test("of what waits for a reader eight megabytes are kept", async () => {
  const { child, ended, begin } = await aProcess(`const long = "x".repeat(100_000); for (let n = 0; n < 200; n++) log.warn({ n }, long);`);
  begin();
  child.stdin?.end();
  const lines = (await text(child.stderr as NodeJS.ReadableStream)).trim().split("\n");

  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 85 }, (_, n) => n));
  expect(await ended).toEqual([0, null]);
});

test.runIf(process.platform === "linux")("a line that found no room for its end leaves the next one whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "heard-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  const { child, ended, begin } = await aProcess(`log.warn("x".repeat(3000)); setTimeout(() => log.warn("whole"), 500);`, openSync(file, "a"));
  const allow = (bytes: string) => execFileSync("prlimit", ["--pid", String(child.pid), `--fsize=${bytes}:unlimited`]);
  allow("1000");
  begin();
  child.stdin?.end();
  await expect.poll(() => readFileSync(file).length).toBe(1000);
  allow("unlimited");

  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "")).toMatchObject({ msg: "whole" });
});

test("lines of several processes on one pipe are whole, though whoever reads them is slow", async () => {
  const program = `import { log } from "./lib/log.ts"; for (let n = 0; n < ${MANY}; n++) log.warn({ n }, "from one of them");`;
  const command = '"$0" --input-type=module -e "$1" & "$0" --input-type=module -e "$1" & wait';
  const both = spawn("sh", ["-c", command, process.execPath, program], { env: { ...process.env, LOG_LEVEL: "warn" } });
  await sleep(2000);
  const lines = (await text(both.stderr)).trim().split("\n");

  expect(lines.map((line) => JSON.parse(line).n).sort((one, other) => one - other)).toEqual(Array.from({ length: 2 * MANY }, (_, place) => place >> 1));
});
