import { expect, test } from "vitest";
import { isPublicAddress } from "./addresses.ts";

// The edges of each range.
test.for([
  ["9.255.255.255", true],
  ["10.0.0.0", false],
  ["10.255.255.255", false],
  ["11.0.0.0", true],
  ["100.63.255.255", true],
  ["100.127.255.255", false],
  ["100.128.0.0", true],
  ["172.15.255.255", true],
  ["172.32.0.0", true],
  ["192.167.255.255", true],
  ["192.169.0.0", true],
  ["198.20.0.0", true],
  ["223.255.255.255", true],
  ["1fff:ffff::1", false],
  ["2000::1", true],
  ["2001:1ff:ffff::1", false],
  ["2001:200::1", true],
  ["2001:db7:ffff::1", true],
  ["2001:db9::1", true],
  ["2003::1", true],
  ["2606:4700::1111", true],
  ["3ffe::1", true],
  ["3fff:fff:ffff::1", false],
  ["3fff:1000::1", true],
  ["4000::1", false],
  ["2003::1%eth0", false],
] as const)("%s is public: %s", ([address, isPublic]) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
