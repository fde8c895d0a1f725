import { vi } from "vitest";
import { knownError } from "#lib/http";

/** Has the date stand at `now`, which tests then move, and no limit remember an attempt. Returns what gives the clock back. */
export function startLimits(now = Date.now()): () => void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  globalThis.heardRateLimits?.leases.clear();
  globalThis.heardRateLimits?.limiters.clear();
  return () => void vi.useRealTimers();
}

/** The code of a failure; "none" where there was none. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => knownError(error)?.code ?? String(error),
  );
}
