import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Command, callControl, serveControl } from "./control.ts";

async function serve(commands: Record<string, Command>) {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-control-"));
  const server = await serveControl(dataDir, commands);
  onTestFinished(() => {
    server.close();
    rmSync(dataDir, { recursive: true });
  });
  return { dataDir, server };
}

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
