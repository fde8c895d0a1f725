import { DriverAdapterError } from "@prisma/driver-adapter-utils";
import { expect, test } from "vitest";
import { isUnavailable } from "./errors.ts";

/** What Prisma makes of an error that PostgreSQL gave with this code: in its own, or bare, as when a COMMIT fails. */
function errorsOf(code: string, severity = "FATAL"): unknown[] {
  const fields = { severity, message: "", detail: undefined, column: undefined, hint: undefined };
  const bare = new DriverAdapterError({ kind: "postgres", code, originalCode: code, ...fields });
  return [bare, Object.assign(new Error("P2039"), { code: "P2039", meta: { driverAdapterError: bare } })];
}

test.for(["08006", "25006", "25P03", "25P04", "3D000", "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P05", "58030"])(
  "PostgreSQL's %s may pass: whoever asks later may be answered",
  (code) => {
    expect(errorsOf(code).map(isUnavailable)).toEqual([true, true]);
  },
);

test.for(["55000", "XX000"])("PostgreSQL's %s may pass where no session could begin, and else stays", (code) => {
  expect(errorsOf(code).map(isUnavailable)).toEqual([true, true]);
  expect(errorsOf(code, "ERROR").map(isUnavailable)).toEqual([false, false]);
});

test.for(["22001", "23505", "25P02", "42501", "42601", "42P01"])("PostgreSQL's %s stays: it is said as it is", (code) => {
  expect(errorsOf(code).map(isUnavailable)).toEqual([false, false]);
});

test.for([
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
  "LISTEN/NOTIFY connection ended",
  "LISTEN/NOTIFY heartbeat timed out",
])("what a driver calls %j may pass, too", (message) => {
  expect(isUnavailable(new Error(message))).toBe(true);
  expect(isUnavailable(new Error(`It says: ${message}`))).toBe(false);
});
