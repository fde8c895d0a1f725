import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { handQuestionsOn, tell } from "./questions.ts";

/** Forks a process of these lines; returns it, and what it says first. */
async function fork(lines: string): Promise<{ worker: Worker; said: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), "heard-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exec = join(folder, "worker.mjs");
  writeFileSync(exec, lines);
  cluster.setupPrimary({ exec, execArgv: [] });
  const worker = cluster.fork();
  onTestFinished(() => void worker.process.kill("SIGKILL"));
  const said = await new Promise((resolve) => worker.on("message", (message) => typeof message.heard !== "string" && resolve(message)));
  return { worker, said };
}

/** What a process finds that joins, stands still, and then waits until it has heard all. */
const STANDS_STILL = `
  import { answerSiblings, hasHeardAll, whenAllIsHeard } from ${JSON.stringify(resolve("lib/siblings.ts"))};
  const found = [];
  whenAllIsHeard(() => found.push("alone: " + hasHeardAll()));
  answerSiblings({});
  for (const end = Date.now() + 5000; !hasHeardAll() && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 10));
  found.push("joined: " + hasHeardAll());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  found.push("stood still: " + hasHeardAll());
  whenAllIsHeard(() => process.send([...found, "waited: " + hasHeardAll()]));`;

test("a process that stood still does not know what the others said meanwhile until it has heard all of it", async () => {
  onTestFinished(() => void cluster.removeAllListeners("message"));
  handQuestionsOn();

  const { said } = await fork(STANDS_STILL);

  expect(said).toEqual(["alone: false", "joined: true", "stood still: false", "waited: true"]);
});

test("where nobody hands on what the others say it is not waited for", async () => {
  const { said } = await fork(STANDS_STILL);

  expect(said).toEqual(["alone: false", "joined: false", "stood still: false", "waited: false"]);
});

test("a process that was killed a moment ago is told in vain, and whoever tells it lives on", async () => {
  const { worker } = await fork('process.send("here"); setInterval(() => {}, 1000);');
  const errors: Error[] = [];
  worker.on("error", (error) => errors.push(error));

  const ended = once(worker, "exit");
  worker.process.kill("SIGKILL");
  // Dead by then, and nobody here has heard of it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(worker.isConnected()).toBe(true);
  tell(worker, { heard: "retire" });
  await ended;

  expect(errors).toEqual([]);
});
