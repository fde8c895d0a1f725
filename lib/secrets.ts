import { hkdfSync, randomBytes } from "node:crypto";
import { db } from "./db.ts";
import { env } from "./env.ts";

const SECRET_NAME = "auth";

declare global {
  var heardAuthSecret: Promise<string> | undefined;
}

/**
 * The site's secret: seals cookies, and keys what is counted and the browsers that are known. `AUTH_SECRET`, else one made once and kept in the database, so that
 * every process and host shares it.
 */
export function authSecret(): Promise<string> {
  globalThis.heardAuthSecret ??= findOrCreateSecret().catch((error: unknown) => {
    globalThis.heardAuthSecret = undefined;
    throw error;
  });
  return globalThis.heardAuthSecret;
}

/** The key by which Next seals what a page binds to an action: 32 bytes in base64, the same in every process and every version. */
export async function actionKey(): Promise<string> {
  return Buffer.from(hkdfSync("sha256", await authSecret(), "", "server actions", 32)).toString("base64");
}

async function findOrCreateSecret(): Promise<string> {
  const given = env().AUTH_SECRET;
  if (given) return given;
  // Many processes may start at once: the first row stays, all of them read it.
  await db.secret.createMany({ data: [{ name: SECRET_NAME, value: randomBytes(48).toString("base64url") }], skipDuplicates: true });
  return (await db.secret.findUniqueOrThrow({ where: { name: SECRET_NAME } })).value;
}
