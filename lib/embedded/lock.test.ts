import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { lockDirectory } from "#lib/embedded/lock";
import { type Program, startProgram } from "#lib/testing/processes";

const NOBODY = 65534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
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
    const modes = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777]);
    await lock.release();

    expect(Object.fromEntries(modes)).toEqual({ "heard.lock": 0o600, "heard.holder.json": 0o600 });
  });

  describe.runIf(canBeNobody)("to a user who is not root", () => {
    beforeEach(() => chmodSync(directory, 0o777));

    function startAsNobody(): Program {
      const holder = startProgram("hold-lock", {}, { args: [directory], under: AS_NOBODY });
      onTestFinished(() => holder.kill());
      return holder;
    }

    test("is refused on a file that they may only read: it would be one for reading, beside others", async () => {
      const path = join(directory, "heard.lock");
      writeFileSync(path, "");
      chmodSync(path, 0o644);

      expect((await startAsNobody().ended).errors).toContain(`${directory} cannot be locked (attempt to write a readonly database)`);
    });

    test("is theirs alone on files of their own that were left read-only", async () => {
      for (const name of ["heard.lock", "heard.holder.json"]) {
        const path = join(directory, name);
        writeFileSync(path, "");
        chownSync(path, NOBODY, NOBODY);
        chmodSync(path, 0o444);
      }

      const first = startAsNobody();
      await first.says("locked");

      expect((await startAsNobody().ended).errors).toContain(`in use by another Heard (process ${first.child.pid} `);
    });

    test.for([
      ["from the start", 0],
      ["after a while", 500],
    ] as const)("is not taken over from another machine because its holder's file cannot be read %s", async ([, afterMs]) => {
      pretendHolderElsewhere();
      chownSync(holderPath, NOBODY, NOBODY);
      if (afterMs === 0) chmodSync(holderPath, 0o200);

      const starter = startAsNobody();
      await expect.poll(() => existsSync(join(directory, "heard.lock")), { timeout: 20_000 }).toBe(true);
      await sleep(afterMs);
      chmodSync(holderPath, 0o200);

      expect((await starter.ended).errors).toContain(`${directory} cannot be locked (EACCES`);
      expect(readFileSync(holderPath, "utf8")).toContain("theirs");
    });

    test("is in use where who holds it left a name that they may not read", async () => {
      const lock = await lockDirectory(directory);
      onTestFinished(() => lock.release());
      chownSync(join(directory, "heard.lock"), NOBODY, NOBODY);

      expect((await startAsNobody().ended).errors).toContain(`${directory} is in use by another Heard (a process that has not said its name)`);
    });

    test.for(["heard.lock", "heard.holder.json"])("is refused where %s is a folder, and leaves that as it is", async (name) => {
      const path = join(directory, name);
      mkdirSync(path, { mode: 0o755 });
      chownSync(path, NOBODY, NOBODY);

      expect((await startAsNobody().ended).errors).toContain(`${directory} cannot be locked (`);
      expect(statSync(path).mode & 0o777).toBe(0o755);
    });

    test("is refused where the holder's file is a pipe, which would be waited for", async () => {
      spawnSync("mkfifo", ["-m", "666", holderPath]);

      expect((await startAsNobody().ended).errors).toContain(`${directory} cannot be locked (heard.holder.json is no file)`);
    });

    test("is refused with what to change where the holder's file is another user's", async () => {
      writeFileSync(holderPath, "{}", { mode: 0o600 });

      const { errors } = await startAsNobody().ended;

      expect(errors).toContain(`StartupError: The data directory ${directory} cannot be locked (EACCES`);
      expect(errors).toContain("give this user all that lies in it");
    });
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

  test("is taken over sooner from such a machine that lets go", async () => {
    const silent = mkdtempSync(join(tmpdir(), "heard-lock-"));
    onTestFinished(() => rmSync(silent, { recursive: true, force: true }));
    pretendHolderElsewhere();
    copyFileSync(holderPath, join(silent, "heard.holder.json"));
    const lettingGo = sleep(500).then(() => rmSync(holderPath));
    const taken: string[] = [];

    const locks = await Promise.all([silent, directory].map((path) => lockDirectory(path).finally(() => taken.push(path))));

    await lettingGo;
    expect(taken).toEqual([directory, silent]);
    expect(readFileSync(holderPath, "utf8")).toContain(`"pid":${process.pid}`);
    for (const lock of locks) await lock.release();
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
