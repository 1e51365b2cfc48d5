/** An edit under way, kept on this device until the server has it. It knows what it began from. */
import * as z from "zod";
import "../api/maybe";
import type { Note } from "../api/note";
import type { Changes } from "../api/server";
import { tagsIn } from "../capture/draft";
import { keep, take, type Shelf } from "../state/kept";

const Fields = z.object({ title: z.string(), body: z.string(), tags: z.string() });
type Fields = z.infer<typeof Fields>;

const Edit = Fields.extend({ revision: z.int(), base: Fields });
export type Edit = z.infer<typeof Edit>;

const name = (id: string) => `memex.edit.${id}`;

function fields(note: Note): Fields {
  return { title: note.title ?? "", body: note.body, tags: note.tags.join(" ") };
}

export function begin(note: Note): Edit {
  return { ...fields(note), revision: note.revision, base: fields(note) };
}

export function loadEdit(on: Shelf, id: string): Edit | null {
  return take(on, name(id), Edit);
}

export function keepEdit(on: Shelf, id: string, edit: Edit | null): void {
  keep(on, name(id), edit);
}

/** Only what differs from where the edit began: enrichment and other people keep the rest. */
export function changes({ title, body, tags, base }: Edit): Changes {
  const newTags = tagsIn(tags);
  return {
    ...(title.trim() === base.title ? {} : { title: title.trim() === "" ? null : title.trim() }),
    ...(body === base.body ? {} : { body }),
    ...(newTags.join(" ") === base.tags ? {} : { tags: newTags }),
  };
}

export function changed(edit: Edit): boolean {
  return Object.keys(changes(edit)).length > 0;
}

/** Both sides changed the same text, and not to the same words: only a person can choose. */
export function collides(edit: Edit, newer: Note): boolean {
  const theirs = fields(newer);
  const both = (name: "title" | "body") =>
    edit[name] !== edit.base[name] && theirs[name] !== edit.base[name] && theirs[name] !== edit[name];
  return both("title") || both("body");
}

/** The same edit on a newer version: what was not touched here is theirs, tags are added up. */
export function onto(edit: Edit, newer: Note): Edit {
  const { base } = edit;
  const theirs = fields(newer);
  const before = tagsIn(base.tags);
  const mine = tagsIn(edit.tags);
  const tags = [
    ...newer.tags.filter((tag) => mine.includes(tag) || !before.includes(tag)),
    ...mine.filter((tag) => !before.includes(tag) && !newer.tags.includes(tag)),
  ];
  return {
    title: edit.title === base.title ? theirs.title : edit.title,
    body: edit.body === base.body ? theirs.body : edit.body,
    tags: tags.join(" "),
    revision: newer.revision,
    base: theirs,
  };
}
