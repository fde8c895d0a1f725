"use server";

import { redirect } from "next/navigation";
import { logOut } from "#server/sessions";
import { currentViewer, endBrowserSession } from "../visit.ts";

/** Ends this browser's session, here and in the database. The page that follows says so. */
export async function signOut(): Promise<void> {
  const viewer = await currentViewer();
  if (viewer) await logOut(viewer);
  await endBrowserSession();
  redirect("/?notice=signed-out");
}
