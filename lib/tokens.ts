import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new secret for its bearer, and the hash of it that may be stored. The token is 256 random bits in base64url. */
export function createToken(): { token: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** SHA-256 of a token. Fast on purpose: a token is random, so there is nothing to guess. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
