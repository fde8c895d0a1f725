import { openEmbedded } from "#lib/embedded";
import { env } from "#lib/env";

// Opens the embedded database, made of the blank one at the given place where that is one, and keeps it until it is killed.
await openEmbedded(env().DATA_DIR, process.argv[2]);
setInterval(() => {}, 60_000);
