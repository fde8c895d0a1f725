import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "#lib/days";
import { db } from "#lib/db";
import { knownError } from "#lib/failures";
import { reportBar } from "#lib/testing/bars";
import { useDatabase } from "#lib/testing/database";
import { confirmEmail, resendConfirmation } from "./email-confirmation.ts";
import { purgeMailTokens } from "./mailed-links.ts";
import { deliverMail } from "./mails/letters.ts";
import { KEEP_DONE_DAYS } from "./mails.ts";
import { requestPasswordReset, resetPassword } from "./password-reset.ts";
import { aMember, aSite, aVisit, type Person } from "./testing/people.ts";

vi.hoisted(() => Object.assign(process.env, { MAIL: "outbox" }));

useDatabase();

/** Every kind of mailed link: how it is sent, how it is used, how long it works. */
const LINKS = {
  "confirm-address": {
    send: (member: Person) => resendConfirmation(member.viewer, aVisit()),
    use: (token: string) => confirmEmail({ token }),
    validMs: 24 * HOUR_MS,
  },
  "reset-password": {
    send: async (member: Person) => (await requestPasswordReset(aVisit(), { email: member.email }))(),
    use: (token: string) => resetPassword(aVisit(), { token, password: "a whole new password" }),
    validMs: HOUR_MS,
  },
};

type Kind = keyof typeof LINKS;
const KINDS = Object.keys(LINKS) as Kind[];

let member: Person;

beforeEach(async () => {
  await aSite();
  member = await aMember();
});

afterEach(() => {
  vi.useRealTimers();
});

async function mail(kind: Kind): Promise<string> {
  await LINKS[kind].send(member);
  const { props } = await newest(kind);
  return /\?token=([\w-]+)/.exec(JSON.stringify(props))?.[1] ?? "";
}

function newest(kind: Kind) {
  return db.mail.findFirstOrThrow({ where: { letter: kind }, orderBy: { mailId: "desc" } });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "used",
    (error: unknown) => `${knownError(error)?.status} ${knownError(error)?.code}`,
  );
}

test("A12: every kind of mailed link opens its own door, once and in time, and no other; nothing stored opens any", async () => {
  const wrong: string[] = [];
  const expectCode = (what: string, code: string, due: string) => code !== due && wrong.push(`${what}: ${code}`);
  let trials = 0;

  for (const kind of KINDS) {
    for (const door of KINDS.filter((other) => other !== kind)) {
      expectCode(`${kind} at the door of ${door}`, await codeOf(LINKS[door].use(await mail(kind))), "400 INVALID_TOKEN");
      trials++;
    }
    const token = await mail(kind);
    expect(Buffer.from(token, "base64url").length * 8).toBeGreaterThanOrEqual(128);
    const stored = await db.mailToken.findMany();
    for (const row of stored) for (const bytes of [token, Buffer.from(token, "base64url")]) expect(Buffer.from(row.tokenHash).includes(bytes)).toBe(false);
    for (const row of stored)
      expectCode(`${kind}, what is stored`, await codeOf(LINKS[kind].use(Buffer.from(row.tokenHash).toString("base64url"))), "400 INVALID_TOKEN");

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + LINKS[kind].validMs + 1000 });
    expectCode(`${kind}, too late`, await codeOf(LINKS[kind].use(token)), "400 INVALID_TOKEN");
    vi.useRealTimers();
    expectCode(`${kind}, in time`, await codeOf(LINKS[kind].use(token)), "used");
    expectCode(`${kind}, a second time`, await codeOf(LINKS[kind].use(token)), "400 INVALID_TOKEN");
    trials += 3 + stored.length;
  }

  reportBar({
    bar: "A12",
    measure: `uses of mailed links of ${trials} that went otherwise than they should`,
    figure: wrong.length,
    ok: wrong.length === 0,
  });
  expect(wrong).toEqual([]);
});

test("the time that a link works begins when its letter goes out, however long that had to wait", async () => {
  for (const kind of KINDS) {
    const { validMs, use } = LINKS[kind];
    for (const [wait, due] of [
      [validMs - 1000, "used"],
      [validMs + 1000, "400 INVALID_TOKEN"],
    ] as const) {
      member = await aMember();
      const token = await mail(kind);
      const { mailId } = await newest(kind);
      await db.mailToken.updateMany({ data: { expiresAt: new Date(Date.now() - DAY_MS) } });
      const goesOutAt = Date.now() + DAY_MS;
      vi.useFakeTimers({ toFake: ["Date"], now: goesOutAt });

      await deliverMail(mailId, { isLastAttempt: false });

      expect(await db.mailToken.count({ where: { expiresAt: { gt: new Date() } } }), "no other link").toBe(1);
      vi.setSystemTime(goesOutAt + wait);
      expect(await codeOf(use(token)), `${kind}, ${wait} ms after it went out`).toBe(due);
      vi.useRealTimers();
    }
  }
});

test("a link that was used does not work again because its letter goes out late", async () => {
  for (const kind of KINDS) {
    const token = await mail(kind);
    const { mailId } = await newest(kind);
    expect(await codeOf(LINKS[kind].use(token))).toBe("used");

    await deliverMail(mailId, { isLastAttempt: false });

    expect((await newest(kind)).status).toBe("SENT");
    expect(await codeOf(LINKS[kind].use(token))).toBe("400 INVALID_TOKEN");
    member = await aMember();
  }
});

test("a new link to confirm an address stands in the person's letters that have not gone out, too, and in no others", async () => {
  const links = async () =>
    Object.fromEntries((await db.mail.findMany({ select: { mailId: true, props: true } })).map(({ mailId, props }) => [mailId, JSON.stringify(props)]));
  await mail("confirm-address");
  await deliverMail((await newest("confirm-address")).mailId, { isLastAttempt: false });
  await mail("reset-password");
  const person = member;
  member = await aMember();
  await mail("confirm-address");
  member = person;
  const others = await links();
  const waiting = [];
  for (const status of ["QUEUED", "FAILED"] as const) {
    await mail("confirm-address");
    const { mailId } = await newest("confirm-address");
    await db.mail.update({ where: { mailId }, data: { status } });
    waiting.push(mailId);
  }

  const token = await mail("confirm-address");

  const after = await links();
  expect(after).toMatchObject(others);
  for (const mailId of waiting) expect(after[mailId]).toContain(`/confirm-address?token=${token}"`);
  expect(await codeOf(LINKS["confirm-address"].use(token))).toBe("used");
});

test("links that expired as long ago as letters are kept are deleted, whatever they open, and no others", async () => {
  for (const kind of KINDS) await mail(kind);
  await db.mailToken.updateMany({ data: { expiresAt: new Date(Date.now() - KEEP_DONE_DAYS * DAY_MS - 1000) } });
  const former = await db.mailToken.count();
  member = await aMember();
  for (const kind of KINDS) await mail(kind);
  await db.mailToken.updateMany({ where: { userId: member.userId }, data: { expiresAt: new Date(Date.now() - KEEP_DONE_DAYS * DAY_MS + 60_000) } });

  await purgeMailTokens();

  expect(former).toBe(KINDS.length);
  expect((await db.mailToken.findMany()).map(({ userId }) => userId)).toEqual(KINDS.map(() => member.userId));
});
