import cluster from "node:cluster";
import { expect, test, vi } from "vitest";
import { log } from "./log.ts";
import { answerSiblings, askSiblings, type SiblingMessage } from "./siblings.ts";

test("that the others are too busy is said by a process that has joined them, not by one that still loads", async () => {
  Object.assign(cluster, { isWorker: true });
  const told = vi.spyOn(log, "info").mockReturnValue();
  // Nobody answers a question.
  process.send = () => true;
  let hear: (message: SiblingMessage) => void = () => {};
  vi.spyOn(process, "on").mockImplementation((_event, listener) => {
    hear = listener as typeof hear;
    return process;
  });

  await askSiblings("changed");
  expect(told).not.toHaveBeenCalled();

  answerSiblings({ changed: () => null, figures: () => null });
  hear({ heard: "that was all", at: performance.now() });
  await askSiblings("changed");
  expect(told).toHaveBeenCalledWith({ question: "changed" }, "The other processes of this start are too busy to answer.");
});
