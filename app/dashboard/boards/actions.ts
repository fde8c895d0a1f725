"use server";

import type { FormState } from "#components/ui/form";
import { OWN_COLOR, ownColorName } from "#components/ui/own-color";
import { countBoards, createBoard, updateBoard } from "#server/boards";
import { deleteBoard, restoreBoard } from "#server/boards/deletion";
import { BOARDS_A_PAGE, moveBoard } from "#server/boards/order";
import { urlFromTyped } from "#server/boards/urls";
import { colorOf, isTicked, optionalTextOf, submitForm, textOf } from "../../forms.ts";
import { pageParameter, withQuery } from "../../urls.ts";
import { currentViewer } from "../../visit.ts";
import { EMOJI_BEFORE_FIELD, EMOJI_FIELD, nameOfForm } from "./emoji.ts";

const LIST = "/dashboard/boards";

/** Creates a board, and leads to the page of the list that it is on; its address is made from its name where none was typed. */
export async function create(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const viewer = await currentViewer();
    // It is to stand behind all others. Counted before it is there: what fails then has made none.
    const page = Math.floor((await countBoards(viewer)) / BOARDS_A_PAGE) + 1;
    await createBoard(viewer, { ...factsOf(form), url: optionalTextOf(form, "url") && addressOf(form) });
    return withQuery(LIST, { page: pageParameter(page), notice: "created" });
  });
}

/** Changes a board as the form shows it. */
export async function update(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await updateBoard(await currentViewer(), textOf(form, "boardId"), { ...factsOf(form), url: addressOf(form) });
    return withQuery(LIST, { notice: "saved" });
  });
}

/** Moves a board within the list, and leads to the page that it is on then. */
export async function move(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const boardId = textOf(form, "boardId");
    const place = await moveBoard(await currentViewer(), boardId, { to: textOf(form, "to") });
    const page = Math.floor(place / BOARDS_A_PAGE) + 1;
    return withQuery(LIST, { page: pageParameter(page), notice: "moved", board: boardId });
  });
}

/** Deletes a board, which can be brought back for a while. */
export async function remove(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    const boardId = textOf(form, "boardId");
    await deleteBoard(await currentViewer(), boardId);
    return withQuery(LIST, { notice: "deleted", board: boardId });
  });
}

/** Brings a deleted board back. */
export async function restore(_state: FormState, form: FormData): Promise<FormState> {
  return submitForm(form, async () => {
    await restoreBoard(await currentViewer(), textOf(form, "boardId"));
    return withQuery(LIST, { notice: "restored" });
  });
}

function factsOf(form: FormData) {
  const emoji = { emoji: textOf(form, EMOJI_FIELD), before: textOf(form, EMOJI_BEFORE_FIELD) };
  return {
    name: nameOfForm({ name: textOf(form, "name"), ...emoji }),
    // The field has several lines for the eye only.
    description: textOf(form, "description").replace(/\s+/g, " "),
    color: colorOf(form, textOf(form, "color") === OWN_COLOR ? ownColorName("color") : "color"),
    isPrivate: isTicked(form, "isPrivate"),
  };
}

/** The address as one, if anything of what was typed can stand in it; else as it was typed, to be told what is wrong. */
function addressOf(form: FormData): string {
  const typed = textOf(form, "url").trim();
  return urlFromTyped(typed) || typed;
}
