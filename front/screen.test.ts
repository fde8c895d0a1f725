import { expect, onTestFinished, test, vi } from "vitest";
import { startScreen } from "./screen.ts";

const START = { port: 3000, isFresh: true, isDev: false, tookMs: 1000 };
const screenAt = (address: string) => startScreen({ ...START, address });

test("the screen says how long the start took, and from when that counts", () => {
  expect(startScreen({ ...START, address: "127.0.0.1", tookMs: 3140 })).toMatch(/^\n {2}Heard is ready, 3\.1 s after its server began to start\n/);
});

test.each([
  ["127.0.0.1", "http://localhost:3000/setup", "127.0.0.1:3000"],
  ["127.0.0.2", "http://127.0.0.2:3000/setup", "127.0.0.2:3000"],
  ["::1", "http://localhost:3000/setup", "[::1]:3000"],
  ["::ffff:127.0.0.1", "http://[::ffff:127.0.0.1]:3000/setup", "[::ffff:127.0.0.1]:3000"],
])("what listens on %s is this machine's alone", (address, open, listens) => {
  const screen = screenAt(address);

  expect(screen).toContain(`Open       ${open}\n`);
  expect(screen).toContain(`Listens on ${listens}, reachable from this machine only`);
  expect(screen).not.toContain("Nobody owns this site yet");
});

test.each([
  ["0.0.0.0", "http://localhost:3000/setup", "0.0.0.0:3000 (this machine's addresses: "],
  ["::", "http://localhost:3000/setup", "[::]:3000 (this machine's addresses: "],
  ["192.0.2.7", "http://192.0.2.7:3000/setup", "192.0.2.7:3000, reachable from its network\n"],
  ["2001:db8::7", "http://[2001:db8::7]:3000/setup", "[2001:db8::7]:3000, reachable from its network\n"],
])("what listens on %s can be set up from the network, of which the screen warns", (address, open, listens) => {
  const screen = screenAt(address);

  expect(screen).toContain(`Open       ${open}\n`);
  expect(screen).toContain(`Listens on ${listens}`);
  expect(screen).toContain("Nobody owns this site yet: whoever opens it first becomes its owner.");
});

test.each([
  ["http://localhost:3000", false],
  ["http://127.0.0.1:3000", false],
  ["http://[::1]:3000", false],
  ["http://localhost.example.com", true],
  ["https://feedback.example.com", true],
])("what listens on this machine alone, and by SITE_URL is reached at %s, has others to be warned of: %s", async (siteUrl, isWarned) => {
  vi.stubEnv("SITE_URL", siteUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  // Settings are read once.
  vi.resetModules();
  const { startScreen: startScreenAnew } = await import("./screen.ts");
  const screen = startScreenAnew({ ...START, address: "127.0.0.1" });

  expect(screen.includes("and through its proxy")).toBe(isWarned);
  expect(screen.includes("Nobody owns this site yet")).toBe(isWarned);
});
