import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assertSocketPlace, type Command, callControl, serveControl } from "./control.ts";

function aDataDir(name = ""): string {
  const root = mkdtempSync(join(tmpdir(), "heard-control-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dataDir = join(root, name);
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

async function serve(commands: Record<string, Command>, dataDir = aDataDir()) {
  const server = await serveControl(dataDir, commands);
  onTestFinished(() => void server.close());
  return { dataDir, server };
}

test("a data directory whose path is too long for a socket's has it elsewhere, and commands find it", async () => {
  const { dataDir } = await serve({ now: async () => "done" }, aDataDir("x".repeat(120)));

  expect(await callControl(dataDir, "now", {}, () => {})).toBe("done");
  expect(readdirSync(dataDir)).toEqual([]);
});

test("the socket is open to the user alone that runs Heard", async () => {
  const { dataDir } = await serve({});

  expect(statSync(join(dataDir, "heard.sock")).mode & 0o777).toBe(0o600);
});

test.for<[string, (path: string) => void]>([
  ["a folder", (path) => mkdirSync(path)],
  ["a file", (path) => writeFileSync(path, "somebody's")],
])("%s in the socket's place is told before anything is begun, nothing or a socket is not", async ([, put]) => {
  const dataDir = aDataDir();
  expect(() => assertSocketPlace(dataDir)).not.toThrow();
  await serve({}, dataDir);
  expect(() => assertSocketPlace(dataDir)).not.toThrow();

  const other = aDataDir();
  put(join(other, "heard.sock"));

  expect(() => assertSocketPlace(other)).toThrow(
    expect.objectContaining({
      code: "STARTUP_ERROR",
      message: expect.stringMatching(/^\/.+\/heard\.sock cannot be used \(it is no socket\): remove what Heard did not write/),
    }),
  );
});

test.for(["constructor", "toString", "__proto__", "later"])("a command called %s, which the running Heard does not have, is refused", async (name) => {
  const { dataDir } = await serve({ now: async () => "done" });

  await expect(callControl(dataDir, name, {}, () => {})).rejects.toThrow("does not know this command");
  expect(await callControl(dataDir, "now", {}, () => {})).toBe("done");
});

test.for([0, 1])("a command whose process ends amid it, after %i words of progress, says so", async (words) => {
  const { dataDir, server } = await serve({
    async long(_input, onProgress) {
      for (let done = 1; done <= words; done++) onProgress(done, 9);
      setTimeout(() => server.closeAllConnections(), 50);
      return new Promise(() => {});
    },
  });

  await expect(callControl(dataDir, "long", {}, () => {})).rejects.toThrow("The running Heard ended before it was done.");
});
