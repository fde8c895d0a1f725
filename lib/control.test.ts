import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callControl, serveControl } from "./control.ts";

test.for(["constructor", "toString", "__proto__", "later"])("a command called %s, which the running Heard does not have, is refused", async (name) => {
  const dataDir = mkdtempSync(join(tmpdir(), "heard-control-"));
  const server = await serveControl(dataDir, { now: async () => "done" });
  onTestFinished(() => {
    server.close();
    rmSync(dataDir, { recursive: true });
  });

  await expect(callControl(dataDir, name, {}, () => {})).rejects.toThrow("does not know this command");
  expect(await callControl(dataDir, "now", {}, () => {})).toBe("done");
});
