import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { handQuestionsOn, tell } from "./questions.ts";

/** Forks a process of these lines. */
function fork(lines: string): Worker {
  const folder = mkdtempSync(join(tmpdir(), "heard-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exec = join(folder, "worker.mjs");
  writeFileSync(exec, lines);
  cluster.setupPrimary({ exec, execArgv: [] });
  const worker = cluster.fork();
  onTestFinished(() => void worker.process.kill("SIGKILL"));
  return worker;
}

/** What a process says next that is not for its siblings. */
function saidBy(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => worker.on("message", (message) => typeof message.heard !== "string" && resolve(message)));
}

/** What a process finds that joins, waits for `whenJoined`, stands still, and then waits until it has heard all. */
const standsStill = (whenJoined = "") => `
  import { answerSiblings, hasHeardAll, whenAllIsHeard } from ${JSON.stringify(resolve("lib/siblings.ts"))};
  const found = [];
  whenAllIsHeard(() => found.push("alone: " + hasHeardAll()));
  answerSiblings({});
  for (const end = Date.now() + 5000; !hasHeardAll() && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 10));
  found.push("joined: " + hasHeardAll());
  ${whenJoined}
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  found.push("stood still: " + hasHeardAll());
  const since = Date.now();
  for (const _ of [1, 2, 3]) whenAllIsHeard(() => found.push("waited" + (Date.now() - since > 900 ? " long: " : ": ") + hasHeardAll()) === 6 && process.send(found));`;

test("a process that stood still does not know what the others said meanwhile until it has heard all of it", async () => {
  onTestFinished(() => void cluster.removeAllListeners("message"));
  handQuestionsOn();

  const found = await saidBy(fork(standsStill()));

  expect(found).toEqual(["alone: false", "joined: true", "stood still: false", "waited: true", "waited: true", "waited: true"]);
});

test("where nobody hands on any more what the others say it is not waited for longer than a second", async () => {
  onTestFinished(() => void cluster.removeAllListeners("message"));
  handQuestionsOn();

  const worker = fork(
    standsStill('process.send("joined"); await new Promise((resolve) => process.once("message", (message) => message === "go on" && resolve()));'),
  );
  expect(await saidBy(worker)).toBe("joined");
  cluster.removeAllListeners("message");
  const found = saidBy(worker);
  worker.send("go on");

  expect(await found).toEqual(["alone: false", "joined: true", "stood still: false", "waited long: false", "waited long: false", "waited long: false"]);
});

test("a process that was killed a moment ago is told in vain, and whoever tells it lives on", async () => {
  const worker = fork('process.send("here"); setInterval(() => {}, 1000);');
  const errors: Error[] = [];
  worker.on("error", (error) => errors.push(error));
  await saidBy(worker);

  const ended = once(worker, "exit");
  worker.process.kill("SIGKILL");
  // Dead by then, and nobody here has heard of it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(worker.isConnected()).toBe(true);
  tell(worker, { heard: "retire" });
  await ended;

  expect(errors).toEqual([]);
});
