import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getURLFromRedirectError } from "next/dist/client/components/redirect.js";
import { isRedirectError } from "next/dist/client/components/redirect-error.js";
import sharp from "sharp";
import { beforeAll, expect, test, vi } from "vitest";
import type { FormState } from "#components/ui/form";
import { sealSessionToken } from "#lib/auth";
import { db } from "#lib/db";
import { authSecret } from "#lib/secrets";
import { reportBar } from "#lib/testing/bars";
import { resetDatabase, useDatabase } from "#lib/testing/database";
import { type Faults, plantFaults } from "#lib/testing/faults";
import { scale } from "#lib/testing/scale";
import { everythingStored, rowCounts } from "#lib/testing/stored";
import { FRONT_HEADERS, SESSION_COOKIE } from "#lib/visit";
import { setAvatar } from "#server/avatars";
import { createBoard } from "#server/boards";
import { deleteBoard } from "#server/boards/deletion";
import { resendConfirmation } from "#server/email-confirmation";
import { hideFirstSteps } from "#server/first-steps";
import { openApiDocument } from "#server/openapi";
import { requestPasswordReset } from "#server/password-reset";
import { blockPerson } from "#server/people";
import { aMember, anOwner, aSession, aSite, aVisit, PASSWORD, type Person } from "#server/testing/people";
import { NOT_DONE } from "./not-done-notice.tsx";

const ORIGIN = "http://localhost:3000";

// What is around a form's action in Next, and nothing of what it does.
const browser = vi.hoisted(() => {
  Object.assign(process.env, { MAIL: "outbox", LOG_LEVEL: "silent" });
  return { cookies: new Map<string, string>(), left: [] as Promise<unknown>[] };
});
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (browser.cookies.has(name) ? { value: browser.cookies.get(name) } : undefined),
    set: (name: string, value: string) => browser.cookies.set(name, value),
  }),
  headers: async () => new Headers({ [FRONT_HEADERS.origin]: ORIGIN, [FRONT_HEADERS.ip]: "127.0.0.1", referer: `${ORIGIN}/me` }),
}));
vi.mock("next/cache", () => ({ refresh() {} }));
vi.mock("next/server", () => ({ after: (work: () => Promise<unknown>) => void browser.left.push(work()), connection: async () => {} }));
vi.mock("next-intl/server", () => ({
  getTranslations: async (room?: string) => Object.assign((name: string) => (room ? `${room}.${name}` : name), { has: () => true }),
}));

useDatabase();

const NEW_PASSWORD = "a whole new password";
const AVAILABLE_LATER = "errors.unavailable";

let faults: Faults;
let owner: Person;
let member: Person;
let sessionId: string;
let boardId: string;
let deletedBoardId: string;
let mailId: string;
let picture: Uint8Array<ArrayBuffer>;
/** How many calls each door makes, and so how often it was swept. */
const calls: number[] = [];
let notWhole = 0;

beforeAll(async () => {
  faults = await plantFaults();
  await authSecret();
  const drawn = sharp({ create: { width: 20, height: 20, channels: 3, background: "#0f6b7c" } });
  picture = new Uint8Array(await drawn.png().toBuffer());
});

/** A site with two boards, one of them deleted, an owner, a member with two sessions, and a letter that failed. */
async function furnish(): Promise<void> {
  await aSite();
  owner = await anOwner();
  member = await aMember();
  ({ sessionId } = await aSession(member.userId));
  ({ boardId } = await createBoard(owner.viewer, { name: "Ideas" }));
  ({ boardId: deletedBoardId } = await createBoard(owner.viewer, { name: "Bugs" }));
  await deleteBoard(owner.viewer, deletedBoardId);
  const letter = { to: member.email, letter: "test", props: {}, status: "FAILED" } as const;
  ({ mailId } = await db.mail.create({ data: letter, select: { mailId: true } }));
}

/** The token in the newest letter called so. */
async function mailedToken(letter: string): Promise<string> {
  const { props } = await db.mail.findFirstOrThrow({ where: { letter }, orderBy: { mailId: "desc" } });
  return /\?token=([\w-]{43})/.exec(JSON.stringify(props))?.[1] ?? "";
}

async function resetToken(): Promise<string> {
  await (await requestPasswordReset(aVisit(), { email: member.email }))();
  return mailedToken("reset-password");
}

async function confirmToken(): Promise<string> {
  await resendConfirmation(member.viewer, aVisit());
  return mailedToken("confirm-address");
}

type Door = {
  /** Who comes through it; nobody who is known by default. */
  by?: () => Person;
  /** Prepares what is then written to; what it returns, `send` gets. */
  given?: () => Promise<unknown>;
  /** The body of an operation, or the fields of a form. */
  send?: (given: string) => Record<string, string | boolean | File | object>;
  /** What stands in an operation's path. */
  at?: () => Record<string, string>;
  /** It begins before set-up. */
  isBare?: boolean;
  /** It answers before it writes: nobody is told of a failure after that, and nothing is half. */
  isSilent?: boolean;
  /** A question that it asks once it is done may fail: the browser is signed in all the same. */
  isLenient?: boolean;
};

const byMember = () => member;
const byOwner = () => owner;
const atBoard = () => ({ boardId });
const asMember = () => ({ userId: member.userId });
const aThirdBoard = async () => (await createBoard(owner.viewer, { name: "Third" })).boardId;
const credentials = { email: "new@example.org", password: PASSWORD };
const picked = (name: string) => ({ [name]: new File([picture], "picture.png", { type: "image/png" }) });

/** Every operation of the API that writes, and every server action that does; in brackets what of several things it is asked for. */
const DOORS: Record<string, Door> = {
  "POST /auth/setup": { send: () => ({ ...credentials, boardName: "Ideas" }), isBare: true },
  "POST /auth/signup": { send: () => credentials },
  "POST /auth/login": { send: () => ({ email: member.email, password: PASSWORD }) },
  "POST /auth/logout": { by: byMember },
  "POST /auth/email/verify": { by: byMember },
  "POST /auth/email/validate": { given: confirmToken, send: (token) => ({ token }) },
  "POST /auth/password/reset": { send: () => ({ email: member.email }), isSilent: true },
  "POST /auth/password/validate": { given: resetToken, send: (token) => ({ token, password: NEW_PASSWORD }) },
  "DELETE /users/me/sessions/{sessionId}": { by: byMember, at: () => ({ sessionId }) },
  "DELETE /users/me/sessions": { by: byMember },
  "PATCH /users/me (name)": { by: byMember, send: () => ({ name: "Grace" }) },
  "PATCH /users/me (password)": { by: byMember, send: () => ({ password: { current: PASSWORD, new: NEW_PASSWORD } }) },
  "POST /boards": { by: byOwner, send: () => ({ name: "Ideas" }) },
  "PATCH /boards/{boardId}": { by: byOwner, at: atBoard, send: () => ({ name: "Wishes", url: "wishes", isPrivate: true }) },
  "DELETE /boards/{boardId}": { by: byOwner, at: atBoard },
  "PATCH /settings/site": { by: byOwner, send: () => ({ title: "Renamed", allowSignup: false }) },
  "app/setup/actions.ts setUpSite": {
    send: () => ({ ...credentials, name: "Ada", siteTitle: "Nimbus", accentColor: "#0f6b7c", template: "own", boardName: "Ideas" }),
    isBare: true,
    isLenient: true,
  },
  "app/(auth)/signup/actions.ts createAccount": { send: () => credentials, isLenient: true },
  "app/(auth)/login/actions.ts signIn": { send: () => ({ email: member.email, password: PASSWORD }), isLenient: true },
  "app/(auth)/actions.ts signOut": { by: byMember },
  "app/(auth)/reset-password/actions.ts askForLetter": { send: () => ({ email: member.email }), isSilent: true },
  "app/(auth)/reset-password/actions.ts setNewPassword": { given: resetToken, send: (token) => ({ token, password: NEW_PASSWORD }) },
  "app/(auth)/confirm-address/actions.ts confirmAddress": { given: confirmToken, send: (token) => ({ token }) },
  "app/(auth)/confirm-address/actions.ts sendLetterAgain": { by: byMember },
  "app/actions.ts chooseLocale": { by: byMember, send: () => ({ locale: "de" }) },
  "app/actions.ts chooseShortcuts": { by: byMember, send: () => ({ shortcuts: "off" }) },
  "app/me/actions.ts saveName": { by: byMember, send: () => ({ name: "Grace" }) },
  "app/me/actions.ts savePicture": { by: byMember, send: () => picked("picture") },
  "app/me/actions.ts savePicture (remove)": { by: byMember, given: () => setAvatar(member.viewer, picture), send: () => ({ remove: true }) },
  "app/me/actions.ts sendConfirmation": { by: byMember },
  "app/me/actions.ts savePassword": { by: byMember, send: () => ({ "password.current": PASSWORD, "password.new": NEW_PASSWORD }), isLenient: true },
  "app/me/actions.ts savePreferences": { by: byMember, send: () => ({ locale: "de", theme: "dark" }) },
  "app/me/actions.ts signOutDevice": { by: byMember, send: () => ({ sessionId }) },
  "app/me/actions.ts signOutElsewhere": { by: byMember },
  "app/dashboard/actions.ts putAway": { by: byOwner },
  "app/dashboard/actions.ts bringBack": { by: byOwner, given: () => hideFirstSteps(owner.viewer) },
  "app/dashboard/boards/actions.ts create": { by: byOwner, send: () => ({ name: "Ideas", color: "0f6b7c" }) },
  "app/dashboard/boards/actions.ts update": { by: byOwner, send: () => ({ boardId, name: "Wishes", url: "wishes", color: "0f6b7c", isPrivate: true }) },
  "app/dashboard/boards/actions.ts move": { by: byOwner, given: aThirdBoard, send: (third) => ({ boardId: third, to: "top" }) },
  "app/dashboard/boards/actions.ts remove": { by: byOwner, send: () => ({ boardId }) },
  "app/dashboard/boards/actions.ts restore": { by: byOwner, send: () => ({ boardId: deletedBoardId }) },
  "app/dashboard/settings/actions.ts saveGeneral": { by: byOwner, send: () => ({ title: "Renamed", locale: "de", timeZone: "UTC" }) },
  "app/dashboard/settings/actions.ts saveBranding": { by: byOwner, send: () => ({ accentColor: "#aa0044", ...picked("logo") }) },
  "app/dashboard/settings/actions.ts saveAccess": { by: byOwner },
  "app/dashboard/settings/actions.ts tryMail": { by: byOwner },
  "app/dashboard/outbox/actions.ts retry": { by: byOwner, send: () => ({ mailId }) },
  "app/dashboard/users/actions.ts block": { by: byOwner, send: asMember },
  "app/dashboard/users/actions.ts unblock": { by: byOwner, given: () => blockPerson(owner.viewer, member.userId), send: asMember },
  "app/dashboard/users/actions.ts endSession": { by: byOwner, send: () => ({ userId: member.userId, sessionId }) },
  "app/dashboard/users/actions.ts endSessions": { by: byOwner, send: asMember },
};

/** The actions that store nothing: a cookie is all that the one sets, and the other looks at the answers given so far. */
const WITHOUT_WRITE = ["app/actions.ts chooseTheme", "app/setup/actions.ts checkOwner"];

const withoutPart = (door: string) => door.replace(/ \((name|password|remove)\)$/, "");

/** Every operation of the API that is no GET, and every server action, as it is called in `DOORS`. */
function doorsOfWrites(): string[] {
  const operations = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).flatMap((method) => (method === "get" ? [] : `${method.toUpperCase()} ${path}`)),
  );
  const actions = globSync("app/**/*.{ts,tsx}").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return source.includes('"use server"') ? [...source.matchAll(/^export async function (\w+)/gm)].map(([, name]) => `${file} ${name}`) : [];
  });
  return [...operations, ...actions];
}

/** What a door says of its failure: that it is to be tried later, in its own form, or something else; null where it did what it was asked for. */
type Answer = "later" | { other: string } | null;

function go(name: string, door: Door, given: string): Promise<Answer> {
  return name.startsWith("app/") ? submit(withoutPart(name), door, given) : call(withoutPart(name), door, given);
}

async function call(operation: string, { by, send, at }: Door, given: string): Promise<Answer> {
  const [method = "", path = ""] = operation.split(" ");
  const routes = await import(join(process.cwd(), `app/api/v1${path.replaceAll("{", "[").replaceAll("}", "]")}/route.ts`));
  const headers = new Headers({ "content-type": "application/json", [FRONT_HEADERS.origin]: ORIGIN, [FRONT_HEADERS.ip]: "127.0.0.1" });
  if (by) headers.set("authorization", `Bearer ${by().token}`);
  const body = send && JSON.stringify(send(given));
  const response: Response = await routes[method](new Request(`${ORIGIN}/api/v1${path}`, { method, headers, body }), { params: Promise.resolve(at?.()) });
  if (response.ok) return null;
  const text = await response.text();
  const isLater = response.status === 503 && JSON.parse(text).code === "SERVER_ERROR" && response.headers.has("retry-after");
  return isLater ? "later" : { other: `${response.status} ${text}` };
}

async function submit(action: string, { by, send }: Door, given: string): Promise<Answer> {
  const [file = "", name = ""] = action.split(/ (?=\w+$)/);
  const actions = await import(join(process.cwd(), file));
  browser.cookies.clear();
  if (by) browser.cookies.set(SESSION_COOKIE.plain, await sealSessionToken(by().token));
  const form = new FormData();
  for (const [field, value] of Object.entries(send?.(given) ?? {})) form.set(field, value instanceof File ? value : String(value));
  const act = actions[name];
  try {
    const state: FormState = await (act.length === 1 ? act(form) : act({}, form));
    return state?.error === AVAILABLE_LATER ? "later" : state?.error === undefined ? null : { other: state.error };
  } catch (error) {
    if (!isRedirectError(error)) return { other: String(error) };
    return getURLFromRedirectError(error).includes(`notice=${NOT_DONE}`) ? "later" : null;
  }
}

// Each door as often as it calls the database, each time with another call that fails; hashing makes some slow.
test.for(Object.entries(DOORS))(
  "F12: whichever call of %s fails, it fails as a whole, or not at all",
  { timeout: scale(240_000, 900_000) },
  async ([name, door]) => {
    const halves: string[] = [];
    /** What is there where it did not fail at all. */
    const done: Record<string, number>[] = [];

    async function prepare(): Promise<{ given: string; before: string }> {
      await resetDatabase();
      if (!door.isBare) await furnish();
      return { given: String(await door.given?.()), before: await everythingStored() };
    }

    let { given, before } = await prepare();
    let call = 1;
    for (; ; call++) {
      faults.failAt(call);
      const answer = await go(name, door, given);
      await Promise.allSettled(browser.left.splice(0));
      const wasReached = faults.stop() >= call;
      const after = await everythingStored();
      if (!wasReached) {
        if (answer) halves.push(`${name} without a fault: ${JSON.stringify(answer)}`);
        expect(after).not.toBe(before);
        for (const counts of done) expect(counts).toEqual(rowCounts(after));
        break;
      }
      if (answer !== null && answer !== "later") halves.push(`${name}, call ${call}: ${answer.other}`);
      if (answer !== null && after !== before) halves.push(`${name}, call ${call}: left something behind`);
      const isSignedIn = browser.cookies.has(SESSION_COOKIE.plain);
      const mayBeDone = after === before ? door.isSilent : door.isLenient && isSignedIn && faults.failed().startsWith("SELECT");
      if (answer === null && !mayBeDone) halves.push(`${name}, call ${call}: said that it was done`);
      if (answer === null && after !== before) {
        done.push(rowCounts(after));
        ({ given, before } = await prepare());
      }
    }

    notWhole += halves.length;
    expect(halves).toEqual([]);
    expect(call).toBeGreaterThan(1);
    calls.push(call - 1);
  },
);

test("F12: every operation that writes, and every server action, is swept", () => {
  expect([...new Set(Object.keys(DOORS).map(withoutPart)), ...WITHOUT_WRITE].sort()).toEqual(doorsOfWrites().sort());
});

test("F12: the sweep in figures", () => {
  const swept = calls.reduce((sum, count) => sum + count, 0);
  const all = Object.keys(DOORS).length;
  reportBar({
    bar: "F12",
    measure: `that did not fail as a whole, of ${swept} failures: each call of ${calls.length} of ${all} operations and forms, which make ${Math.min(...calls)} to ${Math.max(...calls)}`,
    figure: notWhole,
    ok: notWhole === 0 && swept > 100 && calls.length === all,
  });
  expect(swept).toBeGreaterThan(100);
});
