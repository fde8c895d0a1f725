import { expect, test } from "vitest";
import { startScreen } from "./screen.ts";

const screenAt = (address: string) => startScreen({ address, port: 3000, isFresh: true, isDev: false, tookMs: 1000 });

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
