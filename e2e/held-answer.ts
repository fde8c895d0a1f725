import type { Page } from "@playwright/test";

/** Keeps back what the server answers at `address` (a glob) until the function that is returned is called. */
export async function holdAnswer(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
