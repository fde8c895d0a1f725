import { globSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { databaseKind, db, openDriver } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { type Faults, plantFaults } from "#lib/testing/faults";
import { scale } from "#lib/testing/scale";
import { setAvatar } from "./avatars.ts";
import { deleteBoard, restoreBoard } from "./boards/deletion.ts";
import { moveBoard } from "./boards/order.ts";
import { createBoard, updateBoard } from "./boards.ts";
import { confirmEmail, resendConfirmation } from "./email-confirmation.ts";
import { hideFirstSteps, showFirstSteps } from "./first-steps.ts";
import { logIn } from "./login.ts";
import { sendTestLetter } from "./mails/test-letter.ts";
import { retryMail } from "./mails.ts";
import { openApiDocument } from "./openapi.ts";
import { requestPasswordReset, resetPassword } from "./password-reset.ts";
import { blockPerson, endPersonSession, endPersonSessions, unblockPerson } from "./people.ts";
import { updatePreferences } from "./preferences.ts";
import { endOtherSessions, endSession, logOut } from "./sessions.ts";
import { updateBranding } from "./settings/branding.ts";
import { updateSettings } from "./settings.ts";
import { setUp } from "./setup.ts";
import { aMember, anOwner, aSession, aSite, aVisit, PASSWORD, type Person } from "./testing/people.ts";
import { signUp, updateOwnUser } from "./users.ts";

vi.hoisted(() => Object.assign(process.env, { MAIL: "outbox" }));

useDatabase();

const NEW_PASSWORD = "a whole new password";

let faults: Faults;
let owner: Person;
let member: Person;
let sessionId: string;
let boardId: string;
let deletedBoardId: string;
let mailId: string;
let picture: Uint8Array;
/** How many calls each write makes, and so how often it was swept. */
const calls: number[] = [];
let notWhole = 0;

beforeAll(async () => {
  faults = await plantFaults();
  picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#0f6b7c" } })
    .png()
    .toBuffer();
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

type Write = {
  /** Prepares what is then written to; what it returns, `act` gets. */
  given?: () => Promise<unknown>;
  act: (given: string) => Promise<unknown>;
  /** It begins before set-up. */
  isBare?: boolean;
  /** It answers before it writes, and a failure after that is logged: nobody is told, nothing is half. */
  isSilent?: boolean;
};

/** The writes that visitors, members and owners ask for. */
const WRITES: Record<string, Write> = {
  setUp: { act: () => setUp(aVisit(), { email: "ada@example.org", password: PASSWORD, boardName: "Ideas" }), isBare: true },
  signUp: { act: () => signUp(aVisit(), { email: "new@example.org", password: PASSWORD }) },
  logIn: { act: () => logIn(aVisit({ device: "another" }), { email: member.email, password: PASSWORD }) },
  logOut: { act: () => logOut(member.viewer) },
  endSession: { act: () => endSession(member.viewer, sessionId) },
  endOtherSessions: { act: () => endOtherSessions(member.viewer) },
  rename: { act: () => updateOwnUser(member.viewer, aVisit(), { name: "Grace" }) },
  changePassword: { act: () => updateOwnUser(member.viewer, aVisit(), { password: { current: PASSWORD, new: NEW_PASSWORD } }) },
  updatePreferences: { act: () => updatePreferences(member.viewer, { locale: "de" }) },
  setAvatar: { act: () => setAvatar(member.viewer, picture) },
  removeAvatar: { given: () => setAvatar(member.viewer, picture), act: () => setAvatar(member.viewer, null) },
  resendConfirmation: { act: () => resendConfirmation(member.viewer, aVisit()) },
  confirmEmail: { given: confirmToken, act: (token) => confirmEmail({ token }) },
  requestPasswordReset: { act: async () => (await requestPasswordReset(aVisit(), { email: member.email }))(), isSilent: true },
  resetPassword: { given: resetToken, act: (token) => resetPassword(aVisit(), { token, password: NEW_PASSWORD }) },
  createBoard: { act: () => createBoard(owner.viewer, { name: "Ideas" }) },
  renameBoard: { act: () => updateBoard(owner.viewer, boardId, { name: "Wishes", url: "wishes", isPrivate: true }) },
  moveBoard: {
    given: async () => (await createBoard(owner.viewer, { name: "Third" })).boardId,
    act: (third) => moveBoard(owner.viewer, third, { to: "top" }),
  },
  deleteBoard: { act: () => deleteBoard(owner.viewer, boardId) },
  restoreBoard: { act: () => restoreBoard(owner.viewer, deletedBoardId) },
  updateSettings: { act: () => updateSettings(owner.viewer, { title: "Renamed", allowSignup: false }) },
  updateBranding: { act: () => updateBranding(owner.viewer, { accentColor: "aa0044" }, picture) },
  hideFirstSteps: { act: () => hideFirstSteps(owner.viewer) },
  showFirstSteps: { given: () => hideFirstSteps(owner.viewer), act: () => showFirstSteps(owner.viewer) },
  sendTestLetter: { act: () => sendTestLetter(owner.viewer, aVisit(), { withinMs: 50 }) },
  retryMail: { act: () => retryMail(owner.viewer, mailId) },
  blockPerson: { act: () => blockPerson(owner.viewer, member.userId) },
  unblockPerson: { given: () => blockPerson(owner.viewer, member.userId), act: () => unblockPerson(owner.viewer, member.userId) },
  endPersonSession: { act: () => endPersonSession(owner.viewer, member.userId, sessionId) },
  endPersonSessions: { act: () => endPersonSessions(owner.viewer, member.userId) },
};

/** Which operations of the API and which server actions end in which of these writes. */
const DOORS: Record<string, string[]> = {
  setUp: ["POST /auth/setup", "app/setup/actions.ts setUpSite"],
  signUp: ["POST /auth/signup", "app/(auth)/signup/actions.ts createAccount"],
  logIn: ["POST /auth/login", "app/(auth)/login/actions.ts signIn"],
  logOut: ["POST /auth/logout", "app/(auth)/actions.ts signOut"],
  endSession: ["DELETE /users/me/sessions/{sessionId}", "app/me/actions.ts signOutDevice"],
  endOtherSessions: ["DELETE /users/me/sessions", "app/me/actions.ts signOutElsewhere"],
  rename: ["PATCH /users/me", "app/me/actions.ts saveName"],
  changePassword: ["PATCH /users/me", "app/me/actions.ts savePassword"],
  updatePreferences: ["app/me/actions.ts savePreferences", "app/actions.ts chooseLocale", "app/actions.ts chooseShortcuts"],
  setAvatar: ["app/me/actions.ts savePicture"],
  removeAvatar: ["app/me/actions.ts savePicture"],
  resendConfirmation: ["POST /auth/email/verify", "app/me/actions.ts sendConfirmation", "app/(auth)/confirm-address/actions.ts sendLetterAgain"],
  confirmEmail: ["POST /auth/email/validate", "app/(auth)/confirm-address/actions.ts confirmAddress"],
  requestPasswordReset: ["POST /auth/password/reset", "app/(auth)/reset-password/actions.ts askForLetter"],
  resetPassword: ["POST /auth/password/validate", "app/(auth)/reset-password/actions.ts setNewPassword"],
  createBoard: ["POST /boards", "app/dashboard/boards/actions.ts create"],
  renameBoard: ["PATCH /boards/{boardId}", "app/dashboard/boards/actions.ts update"],
  moveBoard: ["app/dashboard/boards/actions.ts move"],
  deleteBoard: ["DELETE /boards/{boardId}", "app/dashboard/boards/actions.ts remove"],
  restoreBoard: ["app/dashboard/boards/actions.ts restore"],
  updateSettings: ["PATCH /settings/site", "app/dashboard/settings/actions.ts saveGeneral", "app/dashboard/settings/actions.ts saveAccess"],
  updateBranding: ["app/dashboard/settings/actions.ts saveBranding"],
  hideFirstSteps: ["app/dashboard/actions.ts putAway"],
  showFirstSteps: ["app/dashboard/actions.ts bringBack"],
  sendTestLetter: ["app/dashboard/settings/actions.ts tryMail"],
  retryMail: ["app/dashboard/outbox/actions.ts retry"],
  blockPerson: ["app/dashboard/users/actions.ts block"],
  unblockPerson: ["app/dashboard/users/actions.ts unblock"],
  endPersonSession: ["app/dashboard/users/actions.ts endSession"],
  endPersonSessions: ["app/dashboard/users/actions.ts endSessions"],
};

/** The actions that store nothing: a cookie is all that the one sets, and the other looks at what the next page asks for. */
const WITHOUT_WRITE = ["app/actions.ts chooseTheme", "app/setup/actions.ts checkOwner"];

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

/** Everything stored, as text, read beside Prisma. Jobs too; but not when somebody was last seen. */
async function everything(): Promise<string> {
  const driver = await openDriver();
  const query = async (sql: string) =>
    (driver.kind === "postgresql" ? (await driver.pool.query(sql)).rows : (await driver.pglite.query(sql)).rows) as { text: string }[];
  const tables = await query(`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS text FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('RateLimit', '_prisma_migrations') OR schemaname = 'pgboss' AND tablename = 'job' ORDER BY 1`);
  const rows: string[] = [];
  for (const { text } of tables)
    rows.push(...(await query(`SELECT (to_jsonb(t) - 'lastSeenAt')::text AS text FROM ${text} t ORDER BY 1`)).map((row) => row.text));
  return rows.join("\n");
}

beforeEach(() => {
  faults.stop();
});

// Each write as often as it calls the database, each time with another call that fails; hashing makes some slow.
test.for(Object.entries(WRITES))(
  "F12: whichever call of %s fails, it fails as a whole",
  { timeout: scale(240_000, 900_000) },
  async ([name, { given, act, isBare, isSilent }]) => {
    if (!isBare) await furnish();
    const prepared = String(await given?.());
    const before = await everything();
    const halves: string[] = [];

    let call = 1;
    for (; ; call++) {
      faults.failAt(call);
      const failure = await act(prepared).then(
        () => null,
        (error: unknown) => error,
      );
      const wasReached = faults.stop() >= call;
      if (!wasReached) {
        if (failure) halves.push(`${name} without a fault: ${String(failure)}`);
        break;
      }
      if (!failure && !isSilent) halves.push(`${name}, call ${call}: succeeded all the same`);
      if (failure && (knownError(failure)?.status ?? 500) < 500) halves.push(`${name}, call ${call}: ${String(failure)}`);
      if ((await everything()) !== before) halves.push(`${name}, call ${call}: left something behind`);
    }

    notWhole += halves.length;
    expect(halves).toEqual([]);
    expect(call).toBeGreaterThan(1);
    expect(await everything()).not.toBe(before);
    calls.push(call - 1);
  },
);

test("F12: every operation that writes, and every server action, ends in a write that is swept", () => {
  expect(Object.keys(DOORS)).toEqual(Object.keys(WRITES));
  expect([...new Set(Object.values(DOORS).flat()), ...WITHOUT_WRITE].sort()).toEqual(doorsOfWrites().sort());
});

test("F12: the sweep in figures", () => {
  const swept = calls.reduce((sum, count) => sum + count, 0);
  const all = Object.keys(WRITES).length;
  reportBar({
    bar: "F12",
    measure: `that did not fail as a whole, of ${swept} failures: each call of ${calls.length} of ${all} writes, which make ${Math.min(...calls)} to ${Math.max(...calls)}`,
    figure: notWhole,
    database: databaseKind(),
    ok: notWhole === 0 && swept > 100 && calls.length === all,
  });
  expect(swept).toBeGreaterThan(100);
});
