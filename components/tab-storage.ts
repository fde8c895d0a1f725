/** What this tab keeps under `key`; null where it keeps nothing, or the browser lets no page keep anything. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps `value` in this tab under `key`, or forgets what is there with null. Where the browser refuses, nothing is kept. */
export function keepInTab(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked or full: the page works without.
  }
}
