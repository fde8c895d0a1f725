import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#front/listen";
import { readRows } from "../stored.ts";

/** A PostgreSQL server of a test's own, for what would disturb every other database of a shared one. `socketUrl` reaches it without any network. */
export type Cluster = { url: string; socketUrl: string; uid: number; stop(): void; start(): void; remove(): void };

/** What it asks of those who come: a password, and to trust its certificate. By default it lets everybody in, and speaks no TLS. */
type Strictness = { password?: string; certificate?: { key: string; cert: string } };

/** Starts one, of the same version as the server at `admin` on this machine and run by the same user. */
export async function startCluster(admin: string, { password, certificate }: Strictness = {}): Promise<Cluster> {
  const [{ bin, folder } = { bin: "", folder: "" }] = await readRows<{ bin: string; folder: string }>(
    { databaseUrl: admin, dataDir: "" },
    `SELECT (SELECT "setting" FROM pg_config WHERE "name" = 'BINDIR') AS "bin", current_setting('data_directory') AS "folder"`,
  );
  const { uid, gid } = statSync(folder);
  const root = mkdtempSync(join(tmpdir(), "heard-cluster-"));
  chownSync(root, uid, gid);
  const data = join(root, "data");
  const write = (name: string, content: string) => {
    writeFileSync(join(root, name), content, { mode: 0o600 });
    chownSync(join(root, name), uid, gid);
    return join(root, name);
  };
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(join(bin, program), ["--pgdata", data, ...args], {
      uid,
      gid,
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  };
  const port = await freePort();
  const auth = password === undefined ? ["--auth=trust"] : ["--auth=scram-sha-256", `--pwfile=${write("password", password)}`];
  run("initdb", "--username=postgres", ...auth, "--encoding=UTF8", "--locale=C.UTF-8");
  const tls = certificate ? ` -c ssl=on -c ssl_key_file=${write("key.pem", certificate.key)} -c ssl_cert_file=${write("cert.pem", certificate.cert)}` : "";
  const start = () => run("pg_ctl", "--wait", `--log=${join(root, "log")}`, `--options=-p ${port} -k ${root} -c listen_addresses=127.0.0.1${tls}`, "start");
  const stop = () => run("pg_ctl", "--mode=immediate", "stop");
  start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    socketUrl: `postgresql://postgres@localhost:${port}/postgres?host=${root}`,
    uid,
    stop,
    start,
    remove() {
      stop();
      rmSync(root, { recursive: true });
    },
  };
}
