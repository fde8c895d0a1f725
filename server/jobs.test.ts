import { afterEach, expect, test, vi } from "vitest";
import { DAY_MS } from "#lib/days";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { deleteBoard } from "./boards/deletion.ts";
import { createBoard } from "./boards.ts";
import { jobs } from "./jobs.ts";
import { anOwner, aSite } from "./testing/people.ts";

useDatabase();

afterEach(() => void vi.useRealTimers());

test("what is over is deleted by the clock, each thing by the task that is named after it", async () => {
  await aSite();
  const { userId, email, viewer } = await anOwner();
  const board = await createBoard(viewer, { name: "Ideas" });
  await deleteBoard(viewer, board.boardId);
  await db.mailToken.create({ data: { userId, email, purpose: "CONFIRM_EMAIL", tokenHash: new Uint8Array(32), expiresAt: new Date() } });
  await db.mail.create({ data: { userId, to: email, letter: "confirm-address", props: {}, status: "SENT", sentAt: new Date() } });
  await db.rateLimit.create({ data: { key: "login:somebody", points: 1, expire: Date.now() } });
  const counts = async () => ({
    "purge-boards": await db.board.count(),
    "purge-sessions": await db.session.count(),
    "purge-mail-tokens": await db.mailToken.count(),
    "purge-old-mails": await db.mail.count(),
    "purge-rate-limits": await db.rateLimit.count(),
  });
  const before = await counts();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * DAY_MS });

  const left: Record<string, object> = {};
  for (const task of Object.keys(before)) {
    await jobs.handlers.maintenance({ task }, { isLastAttempt: false });
    left[task] = await counts();
  }

  expect(Object.values(before)).toEqual([1, 1, 1, 1, 1]);
  const tasks = Object.keys(before);
  for (const [index, task] of tasks.entries())
    expect([task, left[task]]).toEqual([task, Object.fromEntries(tasks.map((name, at) => [name, at <= index ? 0 : 1]))]);
  expect(Object.keys(jobs.schedule)).toEqual(expect.arrayContaining(tasks));
});
