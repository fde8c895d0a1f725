import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { actionKey, authSecret } from "./secrets.ts";

useDatabase();

afterEach(forget);

/** Makes the next call that of another process. */
function forget(): void {
  globalThis.heardAuthSecret = undefined;
}

test("the key that seals cookies is made once, and every process finds the same", async () => {
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => {
      forget();
      return authSecret();
    }),
  );

  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0] ?? "", "base64url").length).toBeGreaterThanOrEqual(32);
  expect(await db.secret.count()).toBe(1);
});

test("a process asks the database for the key once", async () => {
  const key = await authSecret();
  await db.secret.deleteMany();

  expect(await authSecret()).toBe(key);
});

test("the key that the settings give is the key, and none is made", async () => {
  vi.stubEnv("AUTH_SECRET", "a key of the operator's own, long enough");
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const { authSecret: secretOfNextProcess } = await import("./secrets.ts");

  expect(await secretOfNextProcess()).toBe("a key of the operator's own, long enough");
  expect(await db.secret.count()).toBe(0);
});

test("the key of what is bound to actions is 32 bytes, the same in every process, and another than the one that seals cookies", async () => {
  const key = await actionKey();
  forget();

  expect(await actionKey()).toBe(key);
  expect(Buffer.from(key, "base64")).toHaveLength(32);
  expect(key).not.toBe(await authSecret());
});
