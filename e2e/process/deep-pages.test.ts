import { expect, inject, onTestFinished, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { isFullScale, scale } from "#lib/testing/scale";
import { quantile } from "#lib/testing/timing";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { addBoards, writeRows } from "../stored.ts";

const LIMIT = 10;
const PAGES = scale(10, 1000);
const READS = scale(5, 600);
/** So many times what the first page takes still counts as the same: p95s of one thing differ by less. */
const FLAT = 1.3;

// Asked with a token, for such answers are never kept. Times say something only of many reads on a machine that does nothing else, so `npm test` judges none.
test("I6: a page by its number takes as long as the first, however far back", { timeout: 60_000 + READS * 500 }, async () => {
  const site = await startSite({ template: inject("databaseTemplate") });
  await site.stop();
  await addBoards(site, PAGES * LIMIT);
  // What PostgreSQL does by itself within a minute, unless its autovacuum is off; until then it guesses how many there are.
  await writeRows(site, 'ANALYZE "Board"');
  const server = await startServer({ from: site });
  onTestFinished(server.remove);
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const pages = [1, Math.floor(PAGES / 4), PAGES / 2, PAGES];
  const times = new Map(pages.map((page) => [page, [] as number[]]));

  for (let read = 0; read < READS; read++)
    for (const [page, taken] of times) {
      const start = performance.now();
      const answer = await fetch(`${server.url}/api/v1/boards?limit=${LIMIT}&page=${page}`, { headers });
      const { boards } = await answer.json();
      taken.push(performance.now() - start);
      expect(boards).toHaveLength(LIMIT);
    }

  const [first = 0, ...others] = [...times.values()].map((taken) => quantile(taken, 0.95));
  const isFlat = others.every((p95) => p95 < FLAT * first);
  reportBar({
    bar: "I6",
    measure: `pages ${pages.slice(1).join(", ")} of ${PAGES * LIMIT} boards against page 1, with a token, p95 of ${READS} requests each`,
    figure: `${others.map((p95) => (p95 / first).toFixed(2)).join(", ")} times ${first.toFixed(1)} ms`,
    ok: isFlat,
  });
  if (isFullScale) expect(isFlat).toBe(true);
});
