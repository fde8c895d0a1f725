import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { NODE_FLAGS } from "#lib/testing/node-flags";
import { scale } from "#lib/testing/scale";
import { emptySettings } from "#lib/testing/settings";
import { anEmptyPlace, aStoppedSite, directory, newFile, type Place, run } from "./places.ts";

const KILLS = scale(2, 20);
const TIMEOUT = { timeout: scale(180_000, 3_600_000) };

/** Starts a command and kills it when it has told `tenths` times how far it is: from 1, when it has only just begun, to 10. */
async function killAmid(command: string, { dataDir, databaseUrl }: Place, args: string[], tenths: number): Promise<void> {
  const env = { ...process.env, ...emptySettings(), NODE_ENV: "production" as const, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [...NODE_FLAGS, `scripts/${command}.ts`, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let told = 0;
  createInterface({ input: child.stderr }).on("line", () => {
    told += 1;
    if (told === tenths) child.kill("SIGKILL");
  });
  await ended;
}

/** Early in the first round, anywhere in the others. */
function whenToKill(round: number): number {
  return round === 0 ? 1 : 1 + Math.floor(Math.random() * 10);
}

test(`a backup that is killed leaves no file, or the whole one, ${KILLS} times`, TIMEOUT, async () => {
  const site = await aStoppedSite();
  const whole = newFile();
  expect(await run("backup", site, whole)).toMatchObject({ code: 0 });
  const folder = mkdtempSync(join(directory, "killed-"));
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const path = join(folder, `${round}.jsonl.gz`);
    await killAmid("backup", site, [path], whenToKill(round));
    if (existsSync(path)) expect(readFileSync(path).equals(readFileSync(whole))).toBe(true);
    else killed += 1;
  }

  // Whatever the killed ones left is in nobody's way.
  const last = join(folder, "last.jsonl.gz");
  expect(await run("backup", site, last)).toMatchObject({ code: 0 });
  expect(readFileSync(last).equals(readFileSync(whole))).toBe(true);
  expect(killed).toBeGreaterThan(0);
});

test(`a restore that is killed leaves a place that is empty, or has all, ${KILLS} times`, TIMEOUT, async () => {
  const site = await aStoppedSite();
  const path = newFile();
  expect(await run("backup", site, path)).toMatchObject({ code: 0 });
  let emptyCount = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const place = await anEmptyPlace();
    await killAmid("restore", place, [path], whenToKill(round));

    const again = await run("restore", place, path);

    if (again.code === 0) emptyCount += 1;
    else expect(again.output).toContain("There is a site already");
    const copy = newFile();
    expect(await run("backup", place, copy)).toMatchObject({ code: 0 });
    expect(readFileSync(copy).equals(readFileSync(path))).toBe(true);
  }
  const measure = `restores killed amid their work, of ${KILLS}, that left an empty place; the next one gave the whole site`;
  reportBar({ bar: "D11", measure, figure: emptyCount, ok: emptyCount > 0 });
  expect(emptyCount).toBeGreaterThan(0);
});
