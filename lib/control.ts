import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { StartupError } from "./startup-error.ts";
import { describeFailure } from "./validation.ts";

/** Does what a command line asks, telling how far it is. What it returns, or the message of what it throws, is shown there. */
export type Command = (input: Record<string, unknown>, onProgress: (done: number, total: number) => void) => Promise<string>;

type Line = { progress: [number, number] } | { result: string } | { error: string };

// sun_path holds 108 bytes on Linux and 104 on macOS, its end included (unix(7)).
const MAX_SOCKET_PATH_BYTES = 100;

const ENDED_EARLY = "The running Heard ended before it was done.";

/**
 * Looks whether the socket can be where it belongs. A start asks before it opens the database, which may take long.
 * @throws StartupError if something else than a socket has its name, or the folder for it is not this user's alone
 */
export function assertSocketPlace(dataDir: string): void {
  const path = socketPath(dataDir);
  // What else is wrong with the data directory is told by whoever opens it.
  if (existsSync(path) && !lstatSync(path).isSocket())
    throw new StartupError(`${path} cannot be used (it is no socket): remove what Heard did not write, or point DATA_DIR elsewhere.`);
}

/**
 * Lets commands reach the process that has the embedded database, through a socket that only this user may open.
 * To be called while holding the data directory's lock: whatever socket lies there is a dead one's.
 * @throws StartupError if the folder for the socket is not this user's alone
 */
export async function serveControl(dataDir: string, commands: Record<string, Command>): Promise<Server> {
  const path = socketPath(dataDir);
  rmSync(path, { force: true });
  const server = createServer(async (incoming, outgoing) => {
    const send = (line: Line) => outgoing.write(`${JSON.stringify(line)}\n`);
    try {
      const name = incoming.url?.slice(1) ?? "";
      const command = Object.hasOwn(commands, name) && commands[name];
      if (!command) throw new Error("The running Heard does not know this command: it is another version. Restart it first.");
      const input = JSON.parse(await text(incoming));
      send({ result: await command(input, (done, total) => send({ progress: [done, total] })) });
    } catch (error) {
      send({ error: describeFailure(error) });
    }
    outgoing.end();
  });
  // The socket is made by the call itself: nobody else can open it before it is closed to them.
  const umask = process.umask(0o177);
  const listening = new Promise<void>((done, failed) => server.once("error", failed).listen(path, done));
  process.umask(umask);
  await listening;
  // Commands end with the process; it does not stay for them.
  return server.unref();
}

/**
 * Has the running process carry out a command. Null when no process has the data directory.
 * @throws Error with the message of the command's failure, or that the process ended before it was done; StartupError as `serveControl`
 */
export async function callControl(
  dataDir: string,
  name: string,
  input: Record<string, unknown>,
  onProgress: (done: number, total: number) => void,
): Promise<string | null> {
  try {
    const answer = await send(dataDir, name, input);
    if (!answer) return null;
    for await (const words of createInterface({ input: answer })) {
      const line = JSON.parse(words) as Line;
      if ("progress" in line) onProgress(...line.progress);
      else if ("error" in line) throw new Error(line.error);
      else return line.result;
    }
    throw new Error(ENDED_EARLY);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ECONNRESET" ? new Error(ENDED_EARLY, { cause: error }) : error;
  }
}

function send(dataDir: string, name: string, input: Record<string, unknown>): Promise<IncomingMessage | null> {
  return new Promise((done, failed) => {
    const outgoing = request({ socketPath: socketPath(dataDir), path: `/${name}`, method: "POST" }, done);
    outgoing.on("error", (error: NodeJS.ErrnoException) => (error.code === "ENOENT" || error.code === "ECONNREFUSED" ? done(null) : failed(error)));
    outgoing.end(JSON.stringify(input));
  });
}

function socketPath(dataDir: string): string {
  const path = join(resolve(dataDir), "heard.sock");
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  return join(ownFolder(), `${createHash("sha256").update(path).digest("hex").slice(0, 16)}.sock`);
}

/** Where sockets lie whose place by their data directory has too long a name: a folder that only this user may enter. */
function ownFolder(): string {
  const folder = join(tmpdir(), `heard-${process.getuid?.()}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const { uid, mode } = lstatSync(folder);
  // Everybody may write to the folder around it: somebody else may have been first.
  const isOwn = uid === process.getuid?.() && (mode & 0o170077) === 0o040000;
  if (!isOwn)
    throw new StartupError(`The folder ${folder} is not this user's alone, as it has to be: choose a DATA_DIR with a shorter path, or remove that folder.`);
  return folder;
}
