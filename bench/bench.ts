import { writeFileSync } from "node:fs";
import { readArguments } from "#scripts/arguments";
import { prepareBuild } from "#scripts/bootstrap/prepare";
import { table } from "#scripts/suites/reports";
import { type Machine, machineLine, machineWith } from "./machine.ts";
import { type RecordedFigure, recordsOf } from "./records.ts";
import { type Figure, type Row, rowsOn } from "./rows.ts";
import { type Database, SETTINGS, Sites } from "./sites.ts";

type RowFigure = Figure & { name: string };

/**
 * `npm run bench`: how fast Heard is, as ratios of two things measured in turns within one run. On PostgreSQL, where
 * `TEST_DATABASE_URL` names one in which databases may be created, else, or with `--database embedded`, on the embedded database.
 * `-- --only TEXT` measures the rows whose name has it, `--records` also what has no bar (`--requests` says over how many), `--json FILE` writes the figures
 * down; `--rounds`, `--seconds`, `--posts` and `--boards` say how long and on how large a site. Ends with 1 if one misses its bar.
 */
const { values } = readArguments({
  options: {
    only: { type: "string", default: "" },
    database: { type: "string" },
    json: { type: "string" },
    records: { type: "boolean", default: false },
    requests: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    posts: { type: "string", default: "1000000" },
    boards: { type: "string", default: "100000" },
  },
});

const effort = { rounds: countOf("rounds"), seconds: countOf("seconds") };
const size = { posts: countOf("posts"), boards: countOf("boards") };
const requests = countOf("requests");
const database = databaseOf(values.database ?? (process.env.TEST_DATABASE_URL ? "postgresql" : "embedded"));
/** Records are of both databases, where both are there. */
const databases: Database[] = values.records && database === "postgresql" ? ["postgresql", "embedded"] : [database];
const rows = rowsOn(database, size).filter(({ name }) => name.includes(values.only));
if (rows.length === 0) refuse(`--only has to be a part of a row's name: none has "${values.only}".`);
const sites = new Sites();
try {
  await prepareBuild();
  const machine = await machineWith(databases);
  const measured = await measureAll(rows);
  const records = values.records ? await recordAll() : [];
  if (values.json) writeFigures(values.json, { machine, measured, records });
  const settings = Object.entries(SETTINGS).map((setting) => setting.join("="));
  process.stdout.write(`\n${machineLine(machine)}; where a row says nothing else, every site runs with ${settings.join(", ")}\n`);
  process.stdout.write(`\n${table([["", "figure", "bar", "what", "measured"], ...measured.map(lineOf)])}\n`);
  if (records.length > 0) process.stdout.write(`\n${table([["for the record", "figure"], ...records.map(({ name, figure }) => [name, figure])])}\n`);
  process.exitCode = measured.every(isMet) ? 0 : 1;
} finally {
  await sites.close();
}

function countOf(option: "rounds" | "seconds" | "posts" | "boards" | "requests"): number {
  const count = Number(values[option]);
  return Number.isInteger(count) && count > 0 ? count : refuse(`--${option} has to be a whole number from 1 on: "${values[option]}" is none.`);
}

function databaseOf(name: string): Database {
  return name === "postgresql" || name === "embedded" ? name : refuse(`--database has to be postgresql or embedded: "${name}" is neither.`);
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  return process.exit(1);
}

async function measureAll(rows: Row[]): Promise<RowFigure[]> {
  const figures: RowFigure[] = [];
  for (const { name, measure } of rows) {
    process.stdout.write(`… ${name}\n`);
    figures.push({ name, ...(await measure(sites, effort)) });
  }
  return figures;
}

async function recordAll(): Promise<RecordedFigure[]> {
  const records: RecordedFigure[] = [];
  for await (const record of recordsOf(sites, databases, { seconds: effort.seconds, requests })) {
    process.stdout.write(`… ${record.name}: ${record.figure}\n`);
    records.push(record);
  }
  return records;
}

function writeFigures(file: string, { machine, measured, records }: { machine: Machine; measured: RowFigure[]; records: RecordedFigure[] }): void {
  const figures = { measuredAt: new Date().toISOString(), machine, settings: SETTINGS, database, rows: measured, records };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

function isMet({ figure, bar: { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } }: Figure): boolean {
  return figure >= atLeast && figure <= atMost;
}

function lineOf(row: RowFigure): string[] {
  const { figure, bar, detail, name } = row;
  const wanted = bar.atLeast === undefined ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`;
  return [isMet(row) ? "met" : "MISSED", figure < 1000 ? figure.toFixed(2) : String(Math.round(figure)), wanted, name, detail];
}
