import { expect, test } from "vitest";
import { httpOrigin, readCookie, visitOf } from "./visit.ts";

test("a visit says where from, with what and under which address", () => {
  const headers = { "x-heard-ip": "203.0.113.7", "x-heard-origin": "https://feedback.example.com", "user-agent": "Firefox", origin: "https://www.example.com" };

  expect(visitOf(new Headers(headers))).toEqual({
    ip: "203.0.113.7",
    device: "Firefox",
    ownOrigin: "https://feedback.example.com",
    callerOrigin: "https://www.example.com",
    deviceToken: null,
  });
});

test("of two cookies with one name the last counts, as for Next", () => {
  expect(readCookie("heard.session=a; heard.session2=b; heard.session=c; other=heard.session=d", "heard.session")).toBe("c");
});

test("a visit without any header is one from nowhere", () => {
  expect(visitOf(new Headers())).toEqual({ ip: "unknown", device: "", ownOrigin: "http://localhost:3000", callerOrigin: null, deviceToken: null });
});

test("a device's name is printable and at most 300 characters", () => {
  expect(visitOf(new Headers({ "user-agent": `a\tb\u00e9${"x".repeat(400)}` })).device).toBe(`ab${"x".repeat(298)}`);
});

test.for([
  ["https://example.com", "https://example.com"],
  ["https://EXAMPLE.com:443/", "https://example.com"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["null", null],
  ["", null],
  [null, null],
  ["file:///etc/passwd", null],
  ["javascript:alert(1)", null],
  ["https://example.com/path", null],
  ["https://example.com?x", null],
  ["https://user:pass@example.com", null],
  ["example.com", null],
  [`https://${"a.".repeat(145)}example`, null],
] as const)("the origin of %s is %s", ([value, origin]) => {
  expect(httpOrigin(value)).toBe(origin);
});
