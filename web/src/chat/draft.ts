/** What is being written in each conversation, kept on this device until the server has it. */
import * as z from "zod";
import "../api/maybe";
import { keep, shelf, take } from "../state/kept";
import { signal, type Signal } from "../state/signal";

/** The draft of the conversation that is still to be begun. */
export const NEW = "new";
const name = (id: string) => `memex.chat.draft.${id}`;
const drafts = new Map<string, Signal<string>>();

export function draftOf(id: string): Signal<string> {
  let found = drafts.get(id);
  if (!found) {
    found = signal(take(shelf(), name(id), z.string()) ?? "");
    drafts.set(id, found);
  }
  return found;
}

export function write(id: string, text: string): void {
  draftOf(id).set(text);
  keep(shelf(), name(id), text === "" ? null : text);
}

/** Below what is there already, so that nothing typed is lost. */
export function add(id: string, text: string): void {
  const before = draftOf(id).get();
  write(id, before.trim() === "" ? text : `${before}\n${text}`);
}
