"use server";

import type { FormState } from "#components/ui/form";
import { createBoard, deleteBoard, restoreBoard, updateBoard } from "#server/boards";
import { colorOf, optionalTextOf, submitForm, textOf } from "../../forms.ts";
import { currentViewer } from "../../visit.ts";

/** Creates a board; its address is made from its name where none was typed. */
export async function create(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const board = { name: textOf(form, "name"), url: optionalTextOf(form, "url"), color: colorOf(form, "color"), isPrivate: form.has("isPrivate") };
    await createBoard(await currentViewer(), board);
    return "/dashboard/boards?notice=created";
  });
}

/** Changes a board as the form shows it. */
export async function update(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const change = { name: textOf(form, "name"), url: textOf(form, "url").trim(), color: colorOf(form, "color"), isPrivate: form.has("isPrivate") };
    await updateBoard(await currentViewer(), textOf(form, "boardId"), change);
    return "/dashboard/boards?notice=saved";
  });
}

/** Deletes a board, which can be brought back for a while. */
export async function remove(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await deleteBoard(await currentViewer(), textOf(form, "boardId"));
    return "/dashboard/boards?notice=deleted";
  });
}

/** Brings a deleted board back. */
export async function restore(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await restoreBoard(await currentViewer(), textOf(form, "boardId"));
    return "/dashboard/boards?notice=restored";
  });
}
