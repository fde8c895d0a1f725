// As gitleaks knows them (its default configuration), for what somebody working on Heard could hold.
const KEYS: [string, RegExp][] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/g],
  ["a key of AWS", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g],
  ["a token of GitHub", /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{82})\b/g],
  ["a token of GitLab", /\bglpat-[\w-]{20}/g],
  ["a token of npm", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["a token of Slack", /\bxox[abeprs]-[\w-]{10,}|hooks\.slack\.com\/services\/\w+\/\w+/g],
  ["a key of Stripe", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ["a key of Google", /\bAIza[\w-]{35}/g],
  ["a key of Resend", /\bre_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}/g],
  ["a key of SendGrid", /\bSG\.[\w-]{16,32}\.[\w-]{16,64}/g],
  ["a key of a model's API", /\bsk-[A-Za-z0-9_-]{32,}/g],
  ["a JSON Web Token", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
];
const NAMED = /(?:secret|token|passw(?:or)?d|credential|api[_-]?key|auth)\w*["']?\s*[:=]\s*["'`]([A-Za-z0-9+/_=-]{24,})["'`]/gi;
// Bits a character: words and placeholders have fewer, what a generator made has more.
const RANDOM_ENTROPY = 4;

/** A secret that somebody left in a text: what it looks like, and where it begins. Never what it is. */
export type Secret = { kind: string; index: number };

/** What looks like a secret in `text`: keys by their form, and random text that is called a secret. */
export function findSecrets(text: string): Secret[] {
  const keys = KEYS.flatMap(([kind, pattern]) => [...text.matchAll(pattern)].map(({ index }) => ({ kind, index })));
  const named = [...text.matchAll(NAMED)].filter(([, value = ""]) => /\d/.test(value) && entropyOf(value) > RANDOM_ENTROPY);
  return [...keys, ...named.map(({ index }) => ({ kind: "a secret", index }))];
}

/** Shannon's, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
