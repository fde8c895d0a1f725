import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { lockDirectory } from "#lib/embedded/lock";
import { startProgram } from "#lib/testing/processes";

const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const canBeNobody = spawnSync("setpriv", [...AS_NOBODY.slice(1), process.execPath, "-e", 'fs.readdirSync("lib")']).status === 0;

describe.skipIf(process.env.TEST_DATABASE_URL)("the data directory's lock", () => {
  let directory: string;
  let holderPath: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "heard-lock-"));
    holderPath = join(directory, "heard.holder.json");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Leaves what a Heard on another machine leaves on a network volume, whose kernel's lock is not seen here. */
  function pretendHolderElsewhere(): void {
    writeFileSync(holderPath, JSON.stringify({ pid: 1, host: "elsewhere", kernel: "another-kernel", since: "2026-01-01T00:00:00.000Z", nonce: "theirs" }));
  }

  test("is refused while this process holds it, and free once released", async () => {
    const lock = await lockDirectory(directory);

    await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid} on host ${hostname()}`);
    await lock.release();

    expect(existsSync(holderPath)).toBe(false);
    await (await lockDirectory(directory)).release();
  });

  test.for([
    ["new", false],
    ["an older Heard's", true],
  ] as const)("lies in files that nobody else may read, whoever may look into the directory, where it is %s", async ([, isThere]) => {
    const path = join(directory, "heard.lock");
    if (isThere) {
      for (const file of [path, holderPath]) {
        writeFileSync(file, "");
        chmodSync(file, 0o644);
      }
    }
    const umask = process.umask(0o022);
    onTestFinished(() => void process.umask(umask));

    const lock = await lockDirectory(directory);
    const modes = [path, holderPath].map((file) => statSync(file).mode & 0o777);
    await lock.release();

    expect(modes).toEqual([0o600, 0o600]);
  });

  test.runIf(canBeNobody)("is not taken on a file that this user may only read: it would be one for reading, beside others", async () => {
    chmodSync(directory, 0o777);
    writeFileSync(join(directory, "heard.lock"), "", { mode: 0o644 });

    const holder = startProgram("hold-lock", {}, { args: [directory], under: AS_NOBODY });
    onTestFinished(() => holder.kill());

    expect((await holder.ended).errors).toContain(`${directory} cannot be locked`);
  });

  test("is kept by a process that does not run at the moment", async () => {
    const holder = startProgram("hold-lock", {}, { args: [directory] });
    await holder.says("locked");
    holder.child.kill("SIGSTOP");

    await expect(lockDirectory(directory)).rejects.toThrow(`process ${holder.child.pid} on host`);
    await holder.kill();
    await (await lockDirectory(directory)).release();
  });

  test("is refused within 5 s while a machine that shares no kernel with this one shows that it lives", async () => {
    pretendHolderElsewhere();
    const beating = setInterval(() => utimesSync(holderPath, new Date(), new Date()), 1000);
    const startedAt = Date.now();

    await expect(lockDirectory(directory)).rejects.toThrow("process 1 on host elsewhere, since 2026-01-01T00:00:00.000Z");

    clearInterval(beating);
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(readFileSync(holderPath, "utf8")).toContain("theirs");
  });

  test("is taken over from such a machine once that is silent", async () => {
    pretendHolderElsewhere();

    const lock = await lockDirectory(directory);

    expect(readFileSync(holderPath, "utf8")).not.toContain("theirs");
    await lock.release();
  });

  test("ends a holder that finds itself replaced", async () => {
    const holder = startProgram("hold-lock", {}, { args: [directory] });
    await holder.says("locked");

    pretendHolderElsewhere();

    const { errors } = await holder.ended;
    expect(errors).toContain("Another Heard has taken over the data directory");
  });

  test("shows that it lives while its main thread is busy, as in a long query", async () => {
    const lock = await lockDirectory(directory);
    await sleep(500);
    const busyFrom = Date.now();

    while (Date.now() < busyFrom + 2500);

    const lastBeatAt = statSync(holderPath).mtimeMs;
    await lock.release();
    expect(lastBeatAt - busyFrom).toBeGreaterThan(1000);
  });
});
