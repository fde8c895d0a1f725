import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { databaseKind } from "#lib/db";
import { env } from "#lib/env";
import { isLoopback } from "#lib/loopback";
import { addressOf } from "./address.ts";

/** `address`: the one it listens on, which `HOST` may name in other words. `isFresh`: nobody has set the site up yet. `tookMs`: since the serving process began to, after what `npm start` did before. */
type Start = { address: string; port: number; isFresh: boolean; isDev: boolean; tookMs: number };

/** The one screen that a start prints: where the site is, where its data lives, where mail goes, and how to change that. */
export function startScreen({ address, port, isFresh, isDev, tookMs }: Start): string {
  const { SETUP_TOKEN, SITE_URL, WORKERS } = env();
  const own = addressOf(["0.0.0.0", "::", "127.0.0.1", "::1"].includes(address) ? "localhost" : address, port);
  const rows = [
    ["Open", `${SITE_URL ?? own}${isFresh ? "/setup" : ""}`],
    ["Listens on", `${addressOf(address, port).replace("http://", "")}${reachOf(address)}`],
    ["Data", dataRow()],
    ["Mail", mailRow()],
    ...(WORKERS > 1 ? [["Processes", `${WORKERS} behind this port; WORKERS=1 runs one`]] : []),
    ["Stop", "Ctrl-C"],
  ];
  const warning =
    isFresh && (hasProxy() || !isLoopback(address)) && !SETUP_TOKEN
      ? "\n  Nobody owns this site yet: whoever opens it first becomes its owner. SETUP_TOKEN=… keeps others out.\n"
      : "";
  const lines = rows.map(([name, value]) => `  ${name?.padEnd(11)}${value}`).join("\n");
  return `\n  Heard is ready${isDev ? " for development" : ""}, ${(tookMs / 1000).toFixed(1)} s after its server began to start\n${warning}\n${lines}\n\n`;
}

function reachOf(address: string): string {
  if (address === "0.0.0.0" || address === "::") return ` (this machine's addresses: ${ownAddresses().join(", ") || "none"})`;
  if (!isLoopback(address)) return ", reachable from its network";
  return hasProxy() ? ", reachable from this machine, and through its proxy" : ", reachable from this machine only; HOST=0.0.0.0 opens it to your network";
}

/** Whether the settings speak of a proxy in front, which lets others in. */
function hasProxy(): boolean {
  const { SITE_URL, TRUSTED_PROXIES } = env();
  return TRUSTED_PROXIES > 0 || (SITE_URL !== undefined && !isLoopback(new URL(SITE_URL).hostname));
}

function dataRow(): string {
  const { DATABASE_URL, DATA_DIR } = env();
  if (databaseKind() === "embedded") return `embedded database in ${resolve(DATA_DIR)}; DATABASE_URL=postgresql://… uses PostgreSQL instead`;
  const { host, pathname } = new URL(DATABASE_URL ?? "");
  return `PostgreSQL at ${host}${pathname}`;
}

function mailRow(): string {
  switch (env().MAIL) {
    case "outbox":
      return "stays in the outbox at /dashboard/outbox; SMTP_URL=… or RESEND_API_KEY=… sends it";
    case "smtp":
      return `goes out through ${new URL(env().SMTP_URL ?? "smtp://-").host}`;
    case "resend":
      return "goes out through Resend";
    case "none":
      return "is not configured: accounts cannot be made. Set SMTP_URL, RESEND_API_KEY or MAIL=outbox";
  }
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flat();
  return all.filter((entry) => entry !== undefined && !entry.internal && entry.family === "IPv4").map((entry) => entry?.address ?? "");
}
