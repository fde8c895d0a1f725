import { mailsQuery } from "#server/mails";
import { readableBy, withQuery } from "../../urls.ts";

export const OUTBOX = "/dashboard/outbox";

export type OutboxQuery = ReturnType<typeof outboxQuery>;

/** What of the outbox is asked for, by its address or by a form in it. */
export function outboxQuery(asked: Record<string, string | undefined>) {
  return mailsQuery.parse(readableBy(mailsQuery, asked));
}

/** Where that is shown; `notice` says there what was just done. */
export function outboxAddress({ q, status, after }: Partial<OutboxQuery>, notice?: string): string {
  return withQuery(OUTBOX, { q: q || undefined, status, after, notice });
}

/** Where the team finds what the site wrote to `address`, as `listMails` finds it. */
export function mailsTo(address: string): string {
  return outboxAddress({ q: address });
}
