import type { MailStatus, Prisma } from "#prisma/generated/client";

/** How a letter stands: `SENT` once a mail server took it, `KEPT` where it reached nobody and lies in the outbox for whoever may read that. */
export const LETTER_STATES = ["QUEUED", "SENT", "KEPT", "FAILED"] as const;
export type LetterState = (typeof LETTER_STATES)[number];

/**
 * What is stored of each, however mail is set up today: of a letter that a mail server took nothing is kept of what it said, one that stays here has no
 * other copy (`deliverMail`).
 */
export const STORED_AS: Record<LetterState, Prisma.MailWhereInput> = {
  QUEUED: { status: "QUEUED" },
  SENT: { status: "SENT", props: { equals: {} } },
  KEPT: { status: "SENT", props: { not: {} } },
  FAILED: { status: "FAILED" },
};

/** How a stored letter stands. */
export function letterState({ status, props }: { status: MailStatus; props: unknown }): LetterState {
  return status === "SENT" && hasContent(props) ? "KEPT" : status;
}

/** Whether it is still kept what a letter says. */
export function hasContent(props: unknown): boolean {
  return Object.keys(props as object).length > 0;
}
