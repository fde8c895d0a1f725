import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { reportBar } from "#lib/testing/bars";
import { startServer, type TestServer } from "../server.ts";
import { startSite, type TestSite } from "../site.ts";
import { type Api, apiOf, newEmail, PASSWORD } from "./client.ts";
import { callAction } from "./doors.ts";

const env = { RATE_LIMITS: "signup=3/1h,login=3/1h,api=100/1h" };

let site: TestSite;
let api: Api;

beforeAll(async () => {
  site = await startSite({ template: inject("databaseTemplate"), env });
  api = apiOf(site.url);
});

afterAll(async () => {
  await api?.close();
  await site?.remove();
});

const signUp = (as: Api, headers = {}) => as.post("/auth/signup", { email: newEmail(), password: PASSWORD }, { headers });

test("A8: a new X-Forwarded-For each time, which nobody here trusts, helps nobody past a limit", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await signUp(api, { "x-forwarded-for": `192.0.2.${count}`, "x-real-ip": `192.0.2.${count}` })).status);

  const passed = statuses.filter((status) => status === 201).length;
  reportBar({
    bar: "A8",
    measure: "sign-ups of a limit of 3 that got through from 6 forged addresses",
    figure: passed,
    ok: passed === 3,
  });
  expect(statuses).toEqual([201, 201, 201, 429, 429, 429]);
});

test("who comes too often hears so in the API's own words, and when to come again", async () => {
  await signUp(api);
  const { status, headers, body } = await signUp(api);

  expect([status, body.code]).toEqual([429, "RATE_LIMITED"]);
  expect(Object.keys(body).sort()).toEqual(["code", "message"]);
  const seconds = Number(headers["retry-after"]);
  expect(seconds).toBeGreaterThan(3500);
  expect(seconds).toBeLessThanOrEqual(3600);
  expect(headers["cache-control"]).toBe("no-store");
});

test("a right password is not kept out by wrong ones for other addresses; a wrong one is, from the fourth time on", async () => {
  const wrong = () => api.post("/auth/login", { email: "nobody@example.com", password: "not the password" });
  const codes = [await wrong(), await wrong(), await wrong(), await wrong()].map(({ body }) => body.code);

  expect(codes).toEqual(["INVALID_CREDENTIALS", "INVALID_CREDENTIALS", "INVALID_CREDENTIALS", "RATE_LIMITED"]);
  expect((await api.post("/auth/login", { email: site.owner.email, password: site.owner.password })).status).toBe(200);
});

test("pages and the API count together, and each says in its own way that it was too often", async () => {
  const email = "anybody@example.com";
  const form = () => callAction({ url: site.url, name: "app/(auth)/login/actions.ts signIn", fields: { email, password: "not the password" } });
  const program = async () => (await api.post("/auth/login", { email, password: "not the password" })).body.code;

  expect([await form(), await program(), await form()]).toEqual(["INVALID_CREDENTIALS", "INVALID_CREDENTIALS", "INVALID_CREDENTIALS"]);
  expect([await form(), await program(), await form(), await program()]).toEqual(["RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED"]);
});

test("behind a proxy the address that it saw counts, whatever the caller wrote before", async () => {
  const proxied = await startServer({ template: inject("databaseTemplate"), env: { ...env, TRUSTED_PROXIES: "1" } });
  const behind = apiOf(proxied.url);
  const setUp = await behind.post("/auth/setup", { email: "owner@example.com", password: PASSWORD });
  expect(setUp.status).toBe(201);

  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await signUp(behind, { "x-forwarded-for": `10.0.0.${count}, 192.168.100.200` })).status);
  // The same address, as IPv6 spells it.
  for (const same of ["::ffff:c0a8:64c8", "0000:0000:0000:0000:0000:ffff:192.168.100.200%eth0"])
    statuses.push((await signUp(behind, { "x-forwarded-for": same })).status);
  statuses.push((await signUp(behind, { "x-forwarded-for": "192.168.100.200, 192.0.2.2" })).status);
  // Some proxies write the port of the connection behind the address, and one that lost it no address at all.
  for (let count = 0; count < 4; count++) statuses.push((await signUp(behind, { "x-forwarded-for": `[2001:db8::${count}]:4000${count}` })).status);
  for (let count = 0; count < 4; count++) statuses.push((await signUp(behind, { "x-forwarded-for": `somebody-${count}` })).status);

  expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 201, 201, 201, 201, 429, 201, 201, 201, 429]);
  await behind.close();
  await proxied.remove();
});

test.runIf(process.env.TEST_DATABASE_URL)("a limit holds across processes", async () => {
  const second: TestServer = await startServer({ from: site, env });
  const other = apiOf(second.url);
  const wrong = (as: Api) => as.post("/auth/login", { email: "somebody@example.com", password: "not the password" });
  const codes = [await wrong(api), await wrong(other), await wrong(api), await wrong(other), await wrong(api)].map(({ status }) => status);

  expect(codes).toEqual([401, 401, 401, 429, 429]);
  await other.close();
  await second.stop();
});

test("what watches the server is never limited; readers of the API are, by what is made for them", async () => {
  for (let page = 1; page <= 100; page++) await api.get(`/boards?page=${page}`);

  expect((await api.get("/boards?page=101")).status).toBe(429);
  // It is in memory, and costs nothing.
  expect((await api.get("/boards?page=1")).status).toBe(200);
  expect((await api.get("/api/health/live")).status).toBe(200);
  expect((await api.get("/boards", { token: site.owner.authToken })).status).toBe(200);
});
