import { expect } from "vitest";

/** For `METRICS_TOKEN`, of a test's own server. */
export const METRICS_TOKEN = "for-the-metrics-of-this-test";

/** One series as the server gives it: `name{label="value",…} 1.5`. */
type Series = { name: string; labels: Record<string, string>; value: number };

export type Figures = {
  text: string;
  series: Series[];
  /** The value of the one series called `name` that has all of `labels`; undefined where there is none. */
  figure(name: string, labels?: Record<string, string>): number | undefined;
};

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\\n]|\\.)*",?)*)\})? (-?[\d.eE+-]+|\+Inf|NaN)$/;

/** Reads a server's /metrics, each line of which has to be in Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats). */
export async function readFigures(url: string, token: string): Promise<Figures> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  expect([answer.status, text.endsWith("\n")]).toEqual([200, true]);
  const lines = text.split("\n").filter((line) => line && !line.startsWith("# "));
  const series = lines.map(parse);
  return {
    text,
    series,
    figure: (name, labels = {}) =>
      series.find((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value,
  };
}

function parse(line: string): Series {
  expect(line).toMatch(SAMPLE);
  const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
