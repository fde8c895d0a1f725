import { tidyDatabase } from "#lib/db";
import type { Jobs } from "#lib/jobs";
import { purgeRateLimits } from "#lib/rate-limits";
import { purgeBoards } from "./boards/deletion.ts";
import { purgeMailTokens } from "./mailed-links.ts";
import { deliverMail } from "./mails/letters.ts";
import { purgeOldMails, requeueStrandedMails } from "./mails.ts";
import { purgeSessions } from "./sessions.ts";

type Task = {
  /** Minute, hour, day, month, weekday; in UTC. */
  cron: string;
  run(): Promise<unknown>;
};

/** Everything that is done by the clock. */
const TASKS: Record<string, Task> = {
  "requeue-stranded-mails": { cron: "7 * * * *", run: requeueStrandedMails },
  "purge-rate-limits": { cron: "37 * * * *", run: purgeRateLimits },
  "purge-sessions": { cron: "10 3 * * *", run: purgeSessions },
  "purge-mail-tokens": { cron: "20 3 * * *", run: purgeMailTokens },
  "purge-old-mails": { cron: "30 3 * * *", run: purgeOldMails },
  "purge-boards": { cron: "40 3 * * *", run: purgeBoards },
  "tidy-database": { cron: "50 3 * * *", run: tidyDatabase },
};

/** Which queue does what, and when. Only Next and the tests can load it, for letters are .tsx. */
export const jobs: Jobs = {
  handlers: {
    mail: ({ mailId }, attempt) => deliverMail(mailId, attempt),
    maintenance: async ({ task }) => void (await TASKS[task]?.run()),
  },
  schedule: Object.fromEntries(Object.entries(TASKS).map(([task, { cron }]) => [task, cron])),
};
