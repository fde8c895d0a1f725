import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** A machine of which only this is known: what lies in `bin`, and where Playwright keeps its browsers. */
let machine: string;
const bin = (name: string) => join(machine, "bin", name);

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), "heard-browsers-"));
  mkdirSync(join(machine, "bin"));
  const shell = ["/bin/sh", "/usr/bin/sh"].find((path) => existsSync(path)) ?? "";
  symlinkSync(shell, bin("sh"));
});

afterEach(() => rmSync(machine, { recursive: true }));

/** Puts a program there that does `script`. */
function put(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!${bin("sh")}\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** What a program of ours prints on that machine, which reaches no other. */
function run(program: string, env: Record<string, string> = {}): string {
  const settings = {
    PATH: join(machine, "bin"),
    PLAYWRIGHT_BROWSERS_PATH: join(machine, "playwright"),
    PLAYWRIGHT_DOWNLOAD_HOST: "http://127.0.0.1:1",
    ...env,
  };
  const args = ["--input-type=module", "-e", program];
  return execFileSync(process.execPath, args, { env: settings as unknown as NodeJS.ProcessEnv, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    .trim()
    .split("\n")
    .at(-1) as string;
}

const chosen = (env?: Record<string, string>) =>
  run(`import { ensureBrowser } from "./scripts/browser.mjs"; console.log(await ensureBrowser().catch((error) => error.message));`, env);
const playwrights = () => run(`import { chromium } from "playwright"; console.log(chromium.executablePath());`);

// On a Mac browsers are also looked for where no test can hide them.
describe.skipIf(process.platform === "darwin")("the browser that tests run in", () => {
  test("is the one that is there and starts, the headless shell before all others", () => {
    put(bin("chromium-browser"), "exit 1");
    const chrome = put(bin("google-chrome"), "exit 0");
    expect(chosen()).toBe(chrome);

    const shell = put(bin("chromium-headless-shell"), "exit 0");
    expect(chosen()).toBe(shell);
  });

  test("is the one that CHROMIUM_PATH names, where it names one", () => {
    put(bin("chromium"), "exit 0");
    const own = put(join(machine, "own"), "exit 0");

    expect(chosen({ CHROMIUM_PATH: own })).toBe(own);
  });

  test("is else Playwright's own", () => {
    const own = put(playwrights(), "exit 0");

    expect(chosen()).toBe(own);
  });

  test.runIf(process.getuid?.() === 0)("is else Debian's package, for who may install it", { timeout: 60_000 }, () => {
    const shell = bin("chromium-headless-shell");
    put(
      bin("apt-get"),
      `[ "$*" = "install -y --no-install-recommends chromium-headless-shell" ] && printf '#!%s\\nexit 0\\n' ${bin("sh")} > ${shell}\n${chmod()} 755 ${shell}`,
    );

    expect(chosen()).toBe(shell);
  });

  test("is asked for in a sentence where none can be had", { timeout: 60_000 }, () => {
    expect(chosen()).toBe("The browser tests need a Chromium or Chrome, and none could be installed. Install one, or set CHROMIUM_PATH to it.");
    expect(chosen({ CHROMIUM_PATH: join(machine, "gone") })).toMatch(
      /^CHROMIUM_PATH=.*gone does not start\. Set it to a Chromium or Chrome, or leave it empty\.$/,
    );
  });
});

function chmod(): string {
  return ["/bin/chmod", "/usr/bin/chmod"].find((path) => existsSync(path)) ?? "";
}
