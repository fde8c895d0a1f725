/** One thing that guards the site, broken on purpose, and the test that has to notice. */
export type Fault = {
  /** The bars whose proof it is. */
  bars: string;
  /** What is wrong then, in words. */
  what: string;
  file: string;
  find: string;
  replace: string;
  /** What runs the test: a project of Vitest, or the browser's. */
  project: "rules" | "scripts" | "http" | "api" | "browser";
  test: string;
  /** Only where TEST_DATABASE_URL names a PostgreSQL. */
  needsPostgres?: boolean;
  /** Tried on the embedded database, whatever TEST_DATABASE_URL says. */
  onEmbedded?: boolean;
};

/** What a fault leaves of the code that it takes away. */
export const NOTHING = "";
