import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A letter as a real SMTP server received it. */
export type ReceivedMail = { from: string; to: string[]; isEncrypted: boolean; user: string | null; raw: string; mail: Email };

/** How the server on loopback behaves. */
export type SmtpServerBehavior = {
  /** TLS from the first byte, on offer, or not there. */
  tls?: "implicit" | "starttls" | "none";
  /** Asks for this login; without it anybody may send. */
  login?: { user: string; pass: string };
  port?: number;
  host?: string;
};

export type TestSmtpServer = {
  port: number;
  /** A value for SMTP_URL. */
  url: string;
  /** Newest last. */
  received: ReceivedMail[];
  /** Answers RCPT TO with this reply while set, such as `550 5.1.1 No such user`. */
  refuseRecipientsWith: string | null;
  /** Answers MAIL FROM with this reply while set. */
  refuseSendersWith: string | null;
  /** Whether and how it says that it took a letter. It takes it in any case. */
  mood: "well" | "silent" | "hanging-up";
  close(): Promise<void>;
};

/** A self-signed certificate for localhost and 127.0.0.1 and `addresses`, made by openssl. */
export function selfSignedCertificate(addresses: string[] = []): { key: string; cert: string } {
  const directory = mkdtempSync(join(tmpdir(), "heard-certificate-"));
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const names = ["DNS:localhost", "IP:127.0.0.1", ...addresses.map((address) => `IP:${address}`)].join(",");
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  execFileSync("openssl", [...request, "-addext", `subjectAltName=${names}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(directory, { recursive: true });
  return pair;
}

/** Starts a real SMTP server on loopback that keeps what it receives. Close it in the end. */
export async function startSmtpServer(behavior: SmtpServerBehavior = {}, certificate?: { key: string; cert: string }): Promise<TestSmtpServer> {
  const { tls = "none", login, port = 0, host = "127.0.0.1" } = behavior;
  const state: Omit<TestSmtpServer, "port" | "url" | "close"> = { received: [], refuseRecipientsWith: null, refuseSendersWith: null, mood: "well" };
  const server = new SMTPServer({
    ...(tls === "none" ? {} : (certificate ?? selfSignedCertificate())),
    secure: tls === "implicit",
    disabledCommands: [...(tls === "starttls" ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
    authOptional: !login,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    ...handlers(state, login, () => hangUp(server)),
  });
  // A client that hangs up is part of some tests, not a failure of this server.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const bound = (server.server.address() as AddressInfo).port;
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : "";
  const url = `${tls === "implicit" ? "smtps" : "smtp"}://${credentials}${host}:${bound}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return Object.assign(state, { port: bound, url, close });
}

function handlers(state: Omit<TestSmtpServer, "port" | "url" | "close">, login: SmtpServerBehavior["login"], hangUp: () => void): SMTPServerOptions {
  return {
    onAuth({ username, password }, _session, callback) {
      const isRight = username === login?.user && password === login?.pass;
      if (isRight) callback(null, { user: username });
      else callback(new Error(`Invalid login for ${username} with ${password}`));
    },
    onMailFrom(_address, _session, callback) {
      callback(state.refuseSendersWith ? reply(state.refuseSendersWith) : null);
    },
    onRcptTo(_address, _session, callback) {
      callback(state.refuseRecipientsWith ? reply(state.refuseRecipientsWith) : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        state.received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: typeof session.user === "string" ? session.user : null,
          raw,
          mail: await PostalMime.parse(raw),
        });
        if (state.mood === "hanging-up") hangUp();
        if (state.mood === "well") callback();
      });
    },
  };
}

function hangUp(server: SMTPServer): void {
  for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>) connection._socket.destroy();
}

function reply(words: string): Error {
  const [, code, message] = /^(\d{3}) (.*)$/.exec(words) ?? [];
  return Object.assign(new Error(message), { responseCode: Number(code) });
}
