"use server";

import { redirect } from "next/navigation";
import { logOut } from "#server/sessions";
import { submitButton } from "../forms.ts";
import { currentViewer, endBrowserSession } from "../visit.ts";

/** Ends this browser's session, here and in the database. The page that follows says so. */
export async function signOut(): Promise<void> {
  await submitButton(async () => {
    const viewer = await currentViewer();
    if (viewer) await logOut(viewer);
    await endBrowserSession();
    redirect("/?notice=signed-out");
  });
}
