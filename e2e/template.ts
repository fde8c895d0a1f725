import prepareTemplate from "#lib/testing/template";

/** Playwright's global set-up: the migrated database that each server begins with a copy of. Workers inherit the variable. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  return prepareTemplate({
    provide: (_name, template) => {
      process.env.HEARD_TEST_TEMPLATE = template;
    },
  });
}

/** What `startServer` takes as `template`. */
export function databaseTemplate(): string | undefined {
  return process.env.HEARD_TEST_TEMPLATE;
}
