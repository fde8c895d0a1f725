import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Checkout, makeCheckout } from "../testing/checkout.ts";

let checkout: Checkout;

beforeEach(() => {
  checkout = makeCheckout();
});

afterEach(() => checkout.remove());

async function startAndStop(env: Record<string, string> = {}): Promise<string> {
  const start = await checkout.start({ env });
  start.kill("SIGTERM");
  await start.ended;
  return start.said();
}

describe("npm start", () => {
  test("installs, generates and builds the first time, and none of it the second time", async () => {
    const first = await startAndStop();
    const second = await startAndStop();

    expect(first).toMatch(/✓ Installing packages[\s\S]*✓ Generating the database client[\s\S]*✓ Building[\s\S]*ready production/);
    expect(second).not.toContain("✓");
    expect(second).toContain("ready production");
    expect(checkout.ran()).toEqual(["generate", "build"]);
    expect(readFileSync(join(checkout.path, ".next/static/main.js"), "utf8")).toBe("//# allFunctionsCalledOnLoad\nrun()");
  });

  test("builds again when a source or the way to build changed, and only then", async () => {
    await startAndStop();
    checkout.write("app/page.test.tsx", "a test is no part of a build");
    await startAndStop();
    checkout.write("app/page.tsx", "export {};");
    await startAndStop();
    const steps = readFileSync("scripts/bootstrap/steps.mjs", "utf8");
    checkout.write("scripts/bootstrap/steps.mjs", `${steps}// Builds in another way.`);
    await startAndStop();

    expect(checkout.ran()).toEqual(["generate", "build", "build", "build"]);
  });

  test("generates again when the schema changed", async () => {
    await startAndStop();
    checkout.write("prisma/schema.prisma", "// changed");
    await startAndStop();

    expect(checkout.ran()).toEqual(["generate", "build", "generate", "build"]);
  });

  test("installs again when the lockfile names another version", async () => {
    await startAndStop();
    checkout.write("fakes/next/package.json", JSON.stringify({ name: "next", version: "1.0.1", type: "module" }));
    const lockfile = readFileSync(join(checkout.path, "package-lock.json"), "utf8");
    checkout.write("package-lock.json", lockfile.replace(/("fakes\/next": \{[^}]*"version": )"1\.0\.0"/, '$1"1.0.1"'));

    expect(await startAndStop()).toContain("✓ Installing packages");
    expect(await startAndStop()).not.toContain("Installing");
  });

  test("takes what npm installed by hand", async () => {
    await startAndStop();
    rmSync(join(checkout.path, "node_modules/.heard-installed"));
    const second = await startAndStop();

    expect(second).not.toContain("Installing");
    expect(checkout.has("node_modules/.heard-installed")).toBe(true);
  });

  test("reads .env, and the environment goes before it", async () => {
    checkout.write(".env", "FROM_FILE=yes\nNODE_ENV=development\n");

    expect(await startAndStop()).toContain("ready production yes");
    expect(await startAndStop({ FROM_FILE: "no" })).toContain("ready production no");
  });

  test("says that its settings cannot be read, and ends with 1", async () => {
    await startAndStop();
    checkout.write(".env/settings", "MAIL=outbox\n");

    const start = await checkout.start();

    expect(await start.ended).toBe(1);
    expect(start.said()).toContain(`The settings in ${join(checkout.path, ".env")} cannot be read (EISDIR). Make it a file`);
  });

  test.each(["utf8", "utf16le"] as const)("says that its settings begin with a byte order mark, in %s, and ends with 1", async (encoding) => {
    writeFileSync(join(checkout.path, ".env"), "\uFEFFMAIL=outbox\n", encoding);

    const start = await checkout.start();

    expect(await start.ended).toBe(1);
    expect(start.said()).toContain("save it as UTF-8 without a byte order mark");
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends with 0 when npm's own pid alone gets %s, and leaves no process", async (signal) => {
    const start = await checkout.start();

    start.kill(signal);

    expect(await start.ended).toBe(0);
    expect(start.said()).toContain(`closed by ${signal}`);
    expect(checkout.survivors()).toEqual([]);
  });

  test("ends with 0 when it is told to stop before its server listens for that", async () => {
    checkout.write("front/main.ts", `process.once("disconnect", () => process.exit(0)); console.log("ready"); setInterval(() => {}, 1000);`);
    const start = await checkout.start();

    start.kill("SIGTERM");

    expect(await start.ended).toBe(0);
  });

  test("takes no mailbox of a login shell for a setting", async () => {
    checkout.write(".env", "MAIL=outbox\n");

    expect(await startAndStop({ MAIL: "/var/mail/somebody" })).toContain("ready production undefined outbox");
  });

  test("killed itself, leaves no server behind", async () => {
    const start = await checkout.start();

    process.kill(Number(readFileSync(join(checkout.path, "bootstrap.pid"), "utf8")), "SIGKILL");
    await start.ended;

    await expect.poll(() => checkout.survivors()).toEqual([]);
  });

  test("says so when the server was killed", async () => {
    const start = await checkout.start();

    for (const pid of checkout.survivors()) process.kill(pid, "SIGKILL");

    expect(await start.ended).toBe(137);
    expect(start.said()).toContain("It was killed: by the system, perhaps for want of memory");
  });

  test("hands SIGHUP on to the server where there is no terminal, and goes on", async () => {
    const start = await checkout.start();

    process.kill(Number(readFileSync(join(checkout.path, "bootstrap.pid"), "utf8")), "SIGHUP");
    await expect.poll(() => start.said()).toContain("hung up");
    start.kill("SIGTERM");

    expect(await start.ended).toBe(0);
    expect(start.said()).toContain("closed by SIGTERM");
  });

  test("stopped during a build, ends with 0, leaves no process, and builds anew the next time", async () => {
    const start = await checkout.start({ env: { BUILD_SECONDS: "60" }, until: "Building" });
    await expect.poll(() => checkout.ran()).toContain("build");

    start.kill("SIGTERM");

    expect(await start.ended).toBe(0);
    expect(checkout.survivors()).toEqual([]);
    expect(checkout.has(".next/.heard-built")).toBe(false);
    expect(await startAndStop()).toContain("✓ Building");
  });

  test("stopped during a step that does not listen, ends soon, with 0, and leaves no process", async () => {
    const start = await checkout.start({ env: { BUILD_SECONDS: "60", BUILD_IS_DEAF: "yes" }, until: "Building" });
    await expect.poll(() => checkout.ran()).toContain("build");

    const stoppedAt = performance.now();
    start.kill("SIGTERM");

    expect(await start.ended).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(8000);
    expect(checkout.survivors()).toEqual([]);
  });

  test("killed during a build, does not keep the next one waiting", async () => {
    const start = await checkout.start({ env: { BUILD_SECONDS: "60" }, until: "Building" });
    await expect.poll(() => checkout.survivors().length).toBe(2);
    const bootstrap = JSON.parse(readFileSync(join(checkout.path, ".heard/prepare.lock"), "utf8")).pid;
    for (const pid of [bootstrap, start.pid, ...checkout.survivors()]) process.kill(pid, "SIGKILL");
    await start.ended;

    const next = await startAndStop();

    expect(next).not.toContain("Waiting");
    expect(next).toContain("✓ Building");
  });

  test("two at once prepare the checkout once", async () => {
    const env = { BUILD_SECONDS: "1" };
    const starts = await Promise.all([checkout.start({ env }), checkout.start({ env })]);
    for (const start of starts) start.kill("SIGTERM");
    await Promise.all(starts.map(({ ended }) => ended));

    expect(checkout.ran()).toEqual(["generate", "build"]);
    expect(starts.map((start) => start.said()).join()).toContain("Waiting for another start");
  });

  test("says wrong settings before it generates or builds", async () => {
    const start = await checkout.start({ env: { PORT: "wrong" } });

    expect(await start.ended).toBe(1);
    expect(start.said()).toContain("PORT must be a port number");
    expect(checkout.ran()).toEqual([]);
  });

  test("says wrong settings while another start still builds", async () => {
    const other = await checkout.start({ env: { BUILD_SECONDS: "60" }, until: "Building" });

    const start = await checkout.start({ env: { PORT: "wrong" }, until: "Waiting" });
    const said = start.said();
    for (const { kill } of [start, other]) kill("SIGTERM");

    expect([await start.ended, await other.ended]).toEqual([1, 0]);
    expect(said).toContain("PORT must be a port number");
  });

  test("shows why a build failed, and ends with 1", async () => {
    const start = await checkout.start({ env: { BUILD_FAILS: "yes" } });

    expect(await start.ended).toBe(1);
    expect(start.said()).toContain("the reason it fails");
    expect(start.said()).toContain("Heard could not be built; the reason is above.\n");
    expect(checkout.has(".next/.heard-built")).toBe(false);
  });

  test("says that npm's registry cannot be reached", async () => {
    const lockfile = { lockfileVersion: 3, packages: { "": { dependencies: { "left-out": "1.0.0" } }, "node_modules/left-out": { version: "1.0.0" } } };
    writeFileSync(
      join(checkout.path, "package.json"),
      JSON.stringify({ scripts: { start: "exec node scripts/start.mjs" }, dependencies: { "left-out": "1.0.0" } }),
    );
    writeFileSync(join(checkout.path, "package-lock.json"), JSON.stringify(lockfile));

    const start = await checkout.start({
      env: { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0", npm_config_cache: join(checkout.path, "cache") },
    });

    expect(await start.ended).toBe(1);
    expect(start.said()).toContain(
      "npm could not reach its registry to install Heard's packages. Check the network or npm's proxy settings, then try again.\n",
    );
  });

  test.runIf(process.getuid?.() === 0).for([["no lock"], ["a lock", ".heard/prepare.lock"]])(
    "says that its folder cannot be written to where root left %s",
    async ([, ...left]) => {
      chmodSync(checkout.path, 0o755);
      for (const file of left) checkout.write(file, "");
      for (const file of left) utimesSync(join(checkout.path, file), 0, 0);

      const start = await checkout.start({ uid: 65_534 });

      expect(await start.ended).toBe(1);
      expect(start.said()).toContain(`Heard cannot write to ${checkout.path} (EACCES). Give this user the right to write there, then try again.\n`);
    },
  );

  test("on a prepared checkout needs no right to write", async () => {
    await startAndStop();
    chmodSync(checkout.path, 0o555);

    expect(await startAndStop()).toContain("ready production");
  });
});

test.for([
  ["while it runs", "ready"],
  ["while its packages are installed", "Installing"],
] as const)("a command that is told to stop %s ends as shells call that: what follows it by && does not run", async ([, until]) => {
  const work = await checkout.start({ script: "work", until });

  work.kill("SIGTERM");

  expect(await work.ended).toBe(128 + constants.signals.SIGTERM);
  expect(work.said()).not.toContain("done");
});

test.for(["start", "dev", "run"])("scripts/%s.mjs says under a Node that is too old what to do, and ends with 1", (program) => {
  const older = `Object.defineProperties(process, { version: { value: "v18.20.4" }, versions: { value: { ...process.versions, node: "18.20.4" } } });`;

  const { status, stderr } = spawnSync(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(older)}`, `scripts/${program}.mjs`], {
    encoding: "utf8",
  });

  expect([status, stderr]).toEqual([1, "Heard needs Node 20 or newer to start; this is v18.20.4. Install Node 24 (https://nodejs.org), then try again.\n"]);
});

test.for([
  ["start", "npm start"],
  ["dev", "npm run dev"],
] as const)("scripts/%s.mjs says that it takes no options, and what settings are instead, and ends with 1", ([program, command]) => {
  // One that took them would start, and go on.
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${program}.mjs`, "--port", "4000"], { encoding: "utf8", timeout: 10_000 });

  expect([status, stderr]).toEqual([1, `${command} takes no options: its settings are variables, as in PORT=4000 ${command}. .env.example explains each.\n`]);
});
