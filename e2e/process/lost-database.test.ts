import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { openGate } from "#lib/testing/gate";
import { databaseIn, runOn } from "#lib/testing/postgres";
import { isFullScale, scale } from "#lib/testing/scale";
import { quantile } from "#lib/testing/timing";
import { openBrowser, signIn } from "../api/browser.ts";
import { type Answer, apiOf, newEmail, PASSWORD } from "../api/client.ts";
import { startServer } from "../server.ts";
import { startSite } from "../site.ts";
import { writeRows } from "../stored.ts";
import { t } from "../words.ts";
import { startCluster } from "./own-cluster.ts";

const database = process.env.TEST_DATABASE_URL;
const template = inject("databaseTemplate");
const ROUNDS = scale(1, 20);

const LOGO_ID = "0190a8a0-0000-7000-8000-0000000010e0";
const LOGO = `
  INSERT INTO "Image" ("imageId", "bytes", "type", "width", "height") VALUES ('${LOGO_ID}', '\\x00', 'image/webp', 1, 1);
  UPDATE "SiteSettings" SET "logoId" = '${LOGO_ID}';`;

test.runIf(database)(
  "F1: while PostgreSQL is away everything answers 503 with Retry-After, and goes on by itself when it is back",
  { timeout: 90_000 },
  async () => {
    const gate = await openGate(new URL(database ?? ""));
    const server = await startServer({ template, through: gate.port });
    onTestFinished(server.remove);
    const api = apiOf(server.url);
    const owner = { email: newEmail(), password: PASSWORD };
    const { authToken } = (await api.post("/auth/setup", owner)).body.user;
    const calls = (): Promise<Answer>[] => [
      api.get("/boards"),
      api.get("/auth/setup"),
      api.get("/users/me", { token: authToken }),
      api.post("/boards", { name: "x" }, { token: authToken }),
      api.post("/auth/signup", { email: newEmail(), password: PASSWORD }),
      api.post("/auth/login", owner),
    ];

    expect(
      (
        await api.patch(
          "/settings/site",
          { title: "Nimbus wishes", contact: "team@example.com", privacyUrl: "https://example.com/privacy" },
          { token: authToken },
        )
      ).status,
    ).toBe(200);
    await writeRows(server, LOGO);
    // So that this process has read the title and the logo, and knows them when it can no longer ask.
    const before = await (await fetch(`${server.url}/nowhere`)).text();
    for (const part of ["Nimbus wishes", `src="/images/${LOGO_ID}"`]) expect(before).toContain(part);

    const times: number[] = [];
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const startedAt = performance.now();
      const found = await work;
      times.push(performance.now() - startedAt);
      return found;
    };
    const readPage = async (path: string) => {
      const page = await fetch(server.url + path, { headers: { accept: "text/html" } });
      return { status: page.status, retryAfter: page.headers.get("retry-after"), text: await page.text() };
    };
    gate.shut();
    const away: Answer[] = [];
    const pages: Awaited<ReturnType<typeof readPage>>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      away.push(...(await Promise.all(calls().map(timed))));
      pages.push(...(await Promise.all(["/", "/login", "/dashboard"].map((path) => timed(readPage(path))))));
    }
    const [ready, live] = [await api.get("/api/health/ready"), await api.get("/api/health/live")];
    // Jobs are looked for every few seconds, which fails meanwhile, as does beginning to: that comes a moment after the start.
    const upkeep = () => server.logLines().filter((line) => /upkeep failed|Background jobs could not be started/.test(line));
    await vi.waitFor(() => expect(upkeep()).not.toEqual([]), { timeout: 30_000, interval: 50 });
    await gate.open();
    const backAt = performance.now();
    await vi.waitFor(async () => expect((await api.get("/boards")).status).toBe(200), { timeout: 20_000, interval: 50 });
    const backMs = Math.round(performance.now() - backAt);
    const back = await Promise.all(calls());
    await api.close();
    const code = await server.stop();
    gate.shut();
    const p99Ms = Math.round(quantile(times, 0.99));
    const isInTime = p99Ms <= 2000 && backMs <= 5000;
    reportBar({
      bar: "F1",
      measure: `database away: p99 of ${times.length} 503, JSON and pages, ms; normal again after, ms`,
      figure: `${p99Ms}; ${backMs}`,
      ok: isInTime,
    });

    for (const { status, body, headers } of away) {
      expect([status, body]).toEqual([503, { code: "SERVER_ERROR", message: "Something went wrong!" }]);
      expect(headers["retry-after"]).toMatch(/^\d+$/);
    }
    for (const page of pages) expect([page.status, page.retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    for (const { text } of pages)
      for (const words of [
        t("problems.unavailable.title"),
        t("problems.unavailable.retry"),
        "mailto:team@example.com",
        "https://example.com/privacy",
        "Nimbus wishes",
      ])
        expect(text).toContain(words);
    // All boards are away as well. (Among its data each page has the words for one that does not exist.)
    for (const { text } of pages) expect(text).not.toContain(`>${t("problems.home")}</a>`);
    // The site's logo is in the database: where it would be is Heard's own mark.
    for (const { text } of pages) expect(text).not.toContain("/images/");
    expect([ready.status, ready.body, ready.headers["retry-after"], live.status]).toEqual([503, { status: "database" }, "2", 200]);
    expect(back.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 200]);
    expect(code).toBe(0);
    // That is no alarm of its own.
    expect(new Set(upkeep().map((line) => JSON.parse(line).level))).toEqual(new Set([40]));
    if (isFullScale) expect(isInTime, `${p99Ms}, ${backMs} ms`).toBe(true);
  },
);

test.runIf(database)("F1: a PostgreSQL that is stopped and started again costs clear errors until it is there", { timeout: 120_000 }, async () => {
  const cluster = await startCluster(database ?? "");
  onTestFinished(cluster.remove);
  const server = await startServer({ from: { databaseUrl: cluster.url, dataDir: mkdtempSync(join(tmpdir(), "heard-e2e-")) } });
  onTestFinished(() => rm(server.dataDir, { recursive: true }));
  onTestFinished(() => server.stop().then(() => {}));
  const api = apiOf(server.url);
  const { authToken: token } = (await api.post("/auth/setup", { email: newEmail(), password: PASSWORD })).body.user;
  const write = () => api.post("/boards", { name: "x" }, { token });
  expect((await write()).status).toBe(201);

  const [awayMs, backMs, statuses]: [number[], number[], number[]] = [[], [], []];
  for (let outage = 0; outage < scale(1, 5); outage++) {
    cluster.stop();
    for (let round = 0; round < ROUNDS; round++)
      for (const ask of [write, () => api.get("/users/me", { token }), () => fetch(`${server.url}/dashboard`)]) {
        const askedAt = performance.now();
        statuses.push((await ask()).status);
        awayMs.push(performance.now() - askedAt);
      }
    cluster.start();
    const backAt = performance.now();
    await vi.waitFor(async () => expect((await write()).status).toBe(201), { timeout: 20_000, interval: 50 });
    backMs.push(performance.now() - backAt);
  }

  await api.close();
  const [p99Ms, slowestMs] = [Math.round(quantile(awayMs, 0.99)), Math.round(Math.max(...backMs))];
  reportBar({
    bar: "F1",
    measure: `PostgreSQL stopped and started ${backMs.length} times: p99 of ${awayMs.length} 503, ms; slowest until normal again, ms`,
    figure: `${p99Ms}; ${slowestMs}`,
    ok: p99Ms <= 2000 && slowestMs <= 5000,
  });
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(await server.stop()).toBe(0);
});

test.runIf(database)(
  "F1: forms, with words of their own and without, cost who is signed in no more than a clear error soon",
  { timeout: 120_000 },
  async () => {
    const gate = await openGate(new URL(database ?? ""));
    const site = await startSite({ template, through: gate.port });
    onTestFinished(site.remove);
    onTestFinished(gate.shut);
    const { email, password } = site.owner;
    const browser = await signIn(site.url, email, password);
    const [signOut, chooseLocale, saveName, logIn] = [
      await browser.fill("/dashboard", {}),
      await browser.fill("/dashboard", { locale: "de" }),
      await browser.fill("/me", { name: "Olive" }),
      await openBrowser(site.url).fill("/login", { email, password }),
    ];
    const tookMs: number[] = [];
    const send = async (form: () => Promise<Response>) => {
      const askedAt = performance.now();
      const answer = await form();
      await answer.text();
      tookMs.push(performance.now() - askedAt);
      return [answer.status, answer.headers.get("location")];
    };
    const isBack = async () => {
      await gate.open();
      await vi.waitFor(async () => expect((await browser.fetch("/dashboard")).status).toBe(200), { timeout: 20_000, interval: 50 });
    };

    for (const cut of [gate.stall, gate.shut])
      for (const [form, ...answer] of [
        [saveName, 503, null],
        [logIn, 503, null],
        [signOut, 303, "/dashboard?notice=not-done"],
        [chooseLocale, 303, "/dashboard?notice=not-done"],
      ] as const) {
        cut();
        expect([await send(form), await send(form)]).toEqual([answer, answer]);
        await isBack();
      }

    const slowestMs = Math.round(Math.max(...tookMs));
    reportBar({
      bar: "F1",
      measure: `database silent, then away: slowest of ${tookMs.length} answers to forms, ms`,
      figure: slowestMs,
      ok: slowestMs <= 2000,
    });
    expect(site.logLines().filter((line) => line.includes('"level":50'))).toEqual([]);
    if (isFullScale) expect(slowestMs).toBeLessThanOrEqual(2000);
    expect((await signOut()).headers.get("location")).toBe("/?notice=signed-out");
  },
);

test.runIf(database)("a button that a database without writes cannot follow leads back to a page that says so", { timeout: 60_000 }, async () => {
  const site = await startSite({ template });
  onTestFinished(site.remove);
  const browser = await signIn(site.url, site.owner.email, site.owner.password);
  const buttons = [await browser.fill("/dashboard", {}), await browser.fill("/dashboard", { locale: "de" })];
  const name = databaseIn(site.databaseUrl);
  await runOn(site.databaseUrl, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  await runOn(site.databaseUrl, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`);

  const pageAt = async (path: string) => {
    const page = await browser.fetch(path);
    return { status: page.status, saysSo: (await page.text()).includes(t("errors.notDone")) };
  };

  for (const send of buttons) {
    const { status, headers } = await send();
    expect([status, await pageAt(headers.get("location") ?? "")]).toEqual([303, { status: 200, saysSo: true }]);
  }
  expect(await pageAt("/dashboard")).toEqual({ status: 200, saysSo: false });
  // From there what can be done is, and nothing says any longer that it could not.
  const again = await browser.submit("/dashboard?notice=not-done", { theme: "dark" });
  expect([again.status, again.headers.get("location")]).toEqual([303, "/dashboard"]);
});

test.runIf(database)(
  "whoever cannot be looked up while PostgreSQL is away is limited all the same, and uses up nobody's requests",
  { timeout: 60_000 },
  async () => {
    const gate = await openGate(new URL(database ?? ""));
    const server = await startServer({ template, through: gate.port, env: { RATE_LIMITS: "api=5/5m" } });
    onTestFinished(server.remove);
    const api = apiOf(server.url);
    const { authToken: token } = (await api.post("/auth/setup", { email: newEmail(), password: PASSWORD })).body.user;

    gate.shut();
    const away: number[] = [];
    for (let round = 0; round < 8; round++) away.push((await api.get("/users/me", { token })).status);
    await gate.open();
    await vi.waitFor(async () => expect((await api.get("/users/me", { token })).status).toBe(200), { timeout: 20_000, interval: 50 });
    const { status } = await api.get("/boards");
    await api.close();
    await server.stop();
    gate.shut();

    expect([away, status]).toEqual([[503, 503, 503, 503, 503, 429, 429, 429], 200]);
  },
);

test.runIf(database)("a site whose name was never read is called by no other while PostgreSQL is away", { timeout: 60_000 }, async () => {
  const gate = await openGate(new URL(database ?? ""));
  const server = await startServer({ template, through: gate.port });
  onTestFinished(server.remove);
  const api = apiOf(server.url);
  const { authToken: token } = (await api.post("/auth/setup", { email: newEmail(), password: PASSWORD })).body.user;
  expect((await api.patch("/settings/site", { title: "Nimbus wishes" }, { token })).status).toBe(200);

  gate.shut();
  const page = await fetch(`${server.url}/login`, { headers: { accept: "text/html" } });
  const text = await page.text();
  await gate.open();
  await api.close();
  await server.stop();
  gate.shut();

  const [, title] = /<title>([^<]*)<\/title>/.exec(text) ?? [];
  expect([page.status, title, text.includes(t("problems.unavailable.title"))]).toEqual([503, t("problems.unavailable.title"), true]);
  expect(text.includes(t("setup.siteTitleDefault"))).toBe(false);
});
