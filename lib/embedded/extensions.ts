import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";

/** What the embedded engine brings beside the core, as a PostgreSQL server does. A migration switches it on. */
export const EMBEDDED_EXTENSIONS = { pg_trgm };
