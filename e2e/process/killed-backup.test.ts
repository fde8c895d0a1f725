import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { scale } from "#lib/testing/scale";
import { emptySettings } from "#lib/testing/settings";
import { anEmptyPlace, aStoppedSite, database, directory, newFile, type Place, run } from "./places.ts";

const KILLS = scale(3, 20);
const TIMEOUT = { timeout: scale(180_000, 3_600_000) };

/** Starts such a command and kills it after a while, unless it has ended. Returns whether it was killed. */
async function killAmid(command: string, { dataDir, databaseUrl }: Place, args: string[], afterMs: number): Promise<boolean> {
  const env = { ...process.env, ...emptySettings(), NODE_ENV: "production" as const, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [`scripts/${command}.ts`, ...args], { env, stdio: "ignore" });
  const ended = new Promise<boolean>((resolve) => child.once("close", (_code, signal) => resolve(signal === "SIGKILL")));
  await Promise.race([sleep(afterMs), ended]);
  child.kill("SIGKILL");
  return ended;
}

test(`a backup that is killed leaves no file, ${KILLS} times`, TIMEOUT, async () => {
  const site = await aStoppedSite();
  const { ms } = await run("backup", site, newFile());
  const folder = mkdtempSync(join(directory, "killed-"));
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const path = join(folder, `${round}.jsonl.gz`);
    const wasKilled = await killAmid("backup", site, [path], (0.4 + 0.6 * Math.random()) * ms);
    if (wasKilled) killed += 1;
    expect(readdirSync(folder).includes(`${round}.jsonl.gz`)).toBe(!wasKilled);
  }

  // Whatever a killed one left is in nobody's way.
  const last = join(folder, "last.jsonl.gz");
  expect(await run("backup", site, last)).toMatchObject({ code: 0 });
  expect(killed).toBeGreaterThan(0);
});

test(`a restore that is killed leaves a place that is empty, or has all, ${KILLS} times`, TIMEOUT, async () => {
  const site = await aStoppedSite();
  const path = newFile();
  expect(await run("backup", site, path)).toMatchObject({ code: 0 });
  const { ms } = await run("restore", await anEmptyPlace(), path);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const place = await anEmptyPlace();
    if (await killAmid("restore", place, [path], (0.3 + 0.7 * Math.random()) * ms)) killed += 1;

    const again = await run("restore", place, path);

    // The kill may have come between the last row and the end.
    if (again.code !== 0) expect(again.output).toContain("There is a site already");
    const copy = newFile();
    expect(await run("backup", place, copy)).toMatchObject({ code: 0 });
    expect(readFileSync(copy).equals(readFileSync(path))).toBe(true);
  }
  reportBar({ bar: "D11", measure: `kills amid a restore, of ${KILLS}, after which another one gave the whole site`, figure: killed, database, ok: true });
  expect(killed).toBeGreaterThan(0);
});
