import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

const TWO_LINES = `log.warn("one"); log.warn("two");`;
const MANY = 20_000;

/** A process that says `ready`, waits to be spoken to and then runs `code`, its standard error going to `stderr`. */
async function aProcess(code: string, stderr: "pipe" | number = "pipe") {
  const program = `import { log } from "./lib/log.ts"; process.stdin.once("data", () => { ${code} }); process.stdout.write("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", stderr],
    env: { ...process.env, LOG_LEVEL: "warn" },
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
