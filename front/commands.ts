import type { Command } from "#lib/control";
import { migrate } from "#lib/migrate";
import { listMigrations } from "#lib/migrate/history";
import { takeSnapshot } from "#server/backup/source";
import { type Drift, findDrift, mendCounters } from "#server/counters";
import { createDemo, removeDemo } from "#server/demo";
import { resetOwnerPassword } from "#server/owner-recovery";
import { setUpFromMachine } from "#server/setup/from-machine";

/** What can be asked of a site while it runs. */
export const COMMANDS = {
  demo: async (input, onProgress) => {
    if (input.remove === true) {
      const { boards, people } = await removeDemo();
      if (boards + people === 0) return "There is no demo to remove.";
      return `Removed ${boards} generated boards with their posts and ${people} generated people.`;
    }
    const { boards, people, posts } = await createDemo(input, onProgress);
    return `Made ${boards} boards, ${people} people and ${posts} posts, all generated. Remove them with: npm run demo -- --remove`;
  },
  "owner:reset-password": async (input) => {
    const { email, password } = await resetOwnerPassword(typeof input.email === "string" ? input.email : undefined);
    return `${email} can sign in with this password now, and was signed out everywhere:\n\n  ${password}\n\nSign in with it at /login, and change it at /me.`;
  },
  migrate: async ({ newest }) => {
    await migrate();
    const isKnown = (await listMigrations()).some(({ name }) => name === newest);
    if (!isKnown) throw new Error(`The Heard that runs on this data directory is older than the migration ${newest}: restart it, and it applies that.`);
    return "The Heard that runs on this data directory has applied all of its migrations. What a newer version brings is applied when that starts.";
  },
  recount: async (input) => {
    if (input.check !== true) return describeDrift(await mendCounters(), "Mended.");
    const drifts = await findDrift();
    if (drifts.length > 0) throw new Error(describeDrift(drifts, "To mend them: npm run recount"));
    return NO_DRIFT;
  },
  setup: async (input) => {
    const { email, password, url } = await setUpFromMachine(input);
    const signIn = password ? `with this password, which is kept nowhere:\n\n  ${password}\n\nChange it at /me.` : "with the password that was given.";
    return `${url} is set up. ${email} owns it, and can sign in ${signIn}`;
  },
  // For `npm run backup`, which reads the copy and removes it.
  snapshot: takeSnapshot,
} satisfies Record<string, Command>;

const NO_DRIFT = "No drift: every counter says what the rows say.";
/** Of one counter this many wrong places are named. */
const MAX_NAMED = 10;

/** A line per counter that drifted, with some of the places. */
function describeDrift(drifts: Drift[], advice: string): string {
  if (drifts.length === 0) return NO_DRIFT;
  const lines = Object.entries(Object.groupBy(drifts, ({ counter }) => counter)).map(([counter, found = []]) => {
    const places = found
      .slice(0, MAX_NAMED)
      .map(({ url, stored, actual }) => `${url === null ? "" : `/boards/${url} `}${stored ?? "none"} instead of ${actual ?? "none"}`);
    return `${counter}: ${found.length} wrong (${places.join(", ")}${found.length > MAX_NAMED ? ", …" : ""})`;
  });
  return `${lines.join("\n")}\n${advice}`;
}
