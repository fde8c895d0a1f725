import { expect, test, vi } from "vitest";
import { db } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { resendConfirmation } from "../email-confirmation.ts";
import { setUp } from "../setup.ts";
import { aMember, aSite, aVisit } from "../testing/people.ts";
import { signUp } from "../users.ts";

vi.hoisted(() => {
  process.env.MAIL = "none";
});

useDatabase();

const MISSING = { code: "MAIL_CONFIG_MISSING", status: 501, message: "Mail configuration missing" };

test.for([{}, { email: "x", password: "x" }, { email: "ada@example.org", password: "correct horse" }])(
  "without mail nobody sets up or signs up, and that is said first: %o",
  async (input) => {
    await expect(setUp(aVisit(), input)).rejects.toMatchObject(MISSING);
    await expect(signUp(aVisit(), input)).rejects.toMatchObject(MISSING);

    await aSite({ allowSignup: false });
    await expect(setUp(aVisit(), input)).rejects.toMatchObject(MISSING);
    await expect(signUp(aVisit(), input)).rejects.toMatchObject(MISSING);
    expect(await db.user.count()).toBe(0);
  },
);

test("without mail no letter is sent again", async () => {
  const { viewer } = await aMember();

  await expect(resendConfirmation(viewer, aVisit())).rejects.toMatchObject(MISSING);
  await expect(resendConfirmation(null, aVisit())).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
