import cluster from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tell } from "./questions.ts";

test("a process that was killed a moment ago is told in vain, and whoever tells it lives on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "heard-tell-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exec = join(folder, "worker.mjs");
  writeFileSync(exec, 'process.send("here"); setInterval(() => {}, 1000);');
  cluster.setupPrimary({ exec, execArgv: [] });
  const worker = cluster.fork();
  const errors: Error[] = [];
  worker.on("error", (error) => errors.push(error));
  await once(worker, "message");

  const ended = once(worker, "exit");
  worker.process.kill("SIGKILL");
  // Dead by then, and nobody here has heard of it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(worker.isConnected()).toBe(true);
  tell(worker, { heard: "retire" });
  await ended;

  expect(errors).toEqual([]);
});
