import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each(["localhost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "::1", "[::1]", "::ffff:127.0.0.1"])("%s is this machine alone", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  "localhost.example.com",
  "127.0.0.1.example.com",
  "example.localhost.com",
  "127.example.com",
  "0.0.0.0",
  "::",
  "[::]",
  "192.168.0.1",
  "128.0.0.1",
  "",
])("%j is not", (host) => {
  expect(isLoopback(host)).toBe(false);
});
