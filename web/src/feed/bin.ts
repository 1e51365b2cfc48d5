/** Into the bin and out again; either way the feed follows, and the way back is offered. */
import type { Note } from "../api/note";
import { deleteNote, restoreNote } from "../api/server";
import { undoably } from "../parts/undo";
import { feed } from "./feed";
import { headline } from "./preview";

export async function toBin(note: Note): Promise<void> {
  const deed = async () => {
    await deleteNote(note.id);
    if (!feed.get().wanted.bin) feed.remove(note.id);
    feed.look();
  };
  await undoably(deed, `“${headline(note)}” is in the bin.`, () => fromBin(note));
}

export async function fromBin(note: Note): Promise<void> {
  await restoreNote(note.id);
  if (feed.get().wanted.bin) feed.remove(note.id);
  feed.look();
}
