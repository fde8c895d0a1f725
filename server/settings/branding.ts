import type { Viewer } from "#lib/auth";
import { db } from "#lib/db";
import { readUpload, replaceImage } from "../images.ts";
import { countUpload } from "../limits.ts";
import { authorize } from "../permissions.ts";
import { lockSite, settingsChange, THE_SITE } from "../settings.ts";

/** Twice as wide as it is ever shown (`components/auth-card.tsx`), for screens with small dots. */
const LOGO_SIDE = 512;

const branding = settingsChange.pick({ accentColor: true, showPoweredBy: true });

/** What becomes of the logo: a file takes its place, or Heard's own mark does, or it stays. */
export type LogoChange = Uint8Array | "remove" | "keep";

/**
 * Changes how the site looks: its color and whether it says what it runs on, and its logo with them or not at all.
 * @throws AppError UNAUTHENTICATED or FORBIDDEN without `settings:update`; what `readUpload` throws, at the field `logo`
 * @throws ZodError if `input` is no `branding`
 */
export async function updateBranding(viewer: Viewer, input: unknown, logo: LogoChange): Promise<void> {
  authorize(viewer, "settings:update");
  const change = branding.parse(input);
  if (logo instanceof Uint8Array) await countUpload(viewer.userId);
  // Before the transaction: decoding takes longer than others should wait for the connection.
  const picture = logo instanceof Uint8Array ? await readUpload(logo, { maxSide: LOGO_SIDE }, "logo") : null;
  await db.$transaction(async (tx) => {
    // Two changes at once would each replace the same picture, and leave one of theirs behind.
    await lockSite(tx);
    const { logoId } = await tx.siteSettings.findUniqueOrThrow({ where: THE_SITE, select: { logoId: true } });
    const next = logo === "keep" ? logoId : await replaceImage(tx, logoId, picture);
    await tx.siteSettings.update({ where: THE_SITE, data: { ...change, logoId: next } });
  });
}
