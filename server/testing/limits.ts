import { vi } from "vitest";

/** Has the date stand at `now`, which tests then move, and no limit remember an attempt. Returns what gives the clock back. */
export function startLimits(now = Date.now()): () => void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  globalThis.heardRateLimits?.leases.clear();
  globalThis.heardRateLimits?.limiters.clear();
  return () => void vi.useRealTimers();
}
