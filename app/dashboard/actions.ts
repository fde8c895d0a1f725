"use server";

import type { FormState } from "#components/ui/form";
import { hideFirstSteps, showFirstSteps } from "#server/first-steps";
import { submitForm } from "../forms.ts";
import { currentViewer } from "../visit.ts";

/** Puts the list of first steps away. */
export async function putAway(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await hideFirstSteps(await currentViewer());
    return "/dashboard?notice=hidden";
  });
}

/** Brings the list of first steps back. */
export async function bringBack(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await showFirstSteps(await currentViewer());
    return "/dashboard";
  });
}
