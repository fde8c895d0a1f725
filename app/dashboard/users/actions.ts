"use server";

import type { FormState } from "#components/ui/form";
import { blockPerson, endPersonSession, endPersonSessions, unblockPerson } from "#server/people";
import { submitForm, textOf } from "../../forms.ts";
import { currentViewer } from "../../visit.ts";

/** Blocks somebody and ends their sessions. */
export async function block(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await blockPerson(await currentViewer(), textOf(form, "userId"));
    return pageOf(form, "blocked");
  });
}

/** Lets somebody in again. */
export async function unblock(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await unblockPerson(await currentViewer(), textOf(form, "userId"));
    return pageOf(form, "unblocked");
  });
}

/** Ends one session of somebody. */
export async function endSession(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await endPersonSession(await currentViewer(), textOf(form, "userId"), textOf(form, "sessionId"));
    return pageOf(form, "ended");
  });
}

/** Ends every session of somebody but the one that asks. */
export async function endSessions(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await endPersonSessions(await currentViewer(), textOf(form, "userId"));
    return pageOf(form, "allended");
  });
}

function pageOf(form: FormData, notice: string): string {
  return `/dashboard/users/${textOf(form, "userId")}?notice=${notice}`;
}
