/** An edit under way, kept on this device until the server has it. */
import * as z from "zod";
import "../api/maybe";
import type { Note } from "../api/note";
import type { Changes } from "../api/server";
import { keep, take, type Shelf } from "../state/kept";
import { tagsIn } from "../capture/draft";

const Edit = z.object({
  /** The revision that the edit began from. */
  revision: z.int(),
  title: z.string(),
  body: z.string(),
  tags: z.string(),
});
export type Edit = z.infer<typeof Edit>;

const name = (id: string) => `memex.edit.${id}`;

export function begin(note: Note): Edit {
  return { revision: note.revision, title: note.title ?? "", body: note.body, tags: note.tags.join(" ") };
}

export function loadEdit(on: Shelf, id: string): Edit | null {
  return take(on, name(id), Edit);
}

export function keepEdit(on: Shelf, id: string, edit: Edit | null): void {
  keep(on, name(id), edit);
}

/** Only what differs from the note: enrichment and other people keep the rest. */
export function changes(edit: Edit, note: Note): Changes {
  const title = edit.title.trim();
  const tags = tagsIn(edit.tags);
  return {
    ...(title === (note.title ?? "") ? {} : { title: title === "" ? null : title }),
    ...(edit.body === note.body ? {} : { body: edit.body }),
    ...(tags.join(" ") === note.tags.join(" ") ? {} : { tags }),
  };
}

export function changed(edit: Edit, note: Note): boolean {
  return Object.keys(changes(edit, note)).length > 0;
}
