/** Sends the draft once, however often one clicks. */
import { Problem } from "../api/problem";
import type { Note } from "../api/note";
import { capture } from "../api/server";
import { feed } from "../feed/feed";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { signal } from "../state/signal";
import { draft, EMPTY, stamped, toCapture, write } from "./draft";

export interface Sending {
  busy: boolean;
  problem: Problem | null;
  saved: Note | null;
}

export const sending = signal<Sending>({ busy: false, problem: null, saved: null });

/** True when the note is saved; the draft is cleared only then. */
export async function sendDraft(): Promise<boolean> {
  if (sending.get().busy) return false;
  const body = toCapture(draft.get());
  if (body === null) return false;
  const going = stamped(draft.get(), body);
  write(going);
  sending.set({ busy: true, problem: null, saved: null });
  try {
    const note = await capture(body, going.sent.key);
    write(EMPTY);
    sending.set({ busy: false, problem: null, saved: note });
    announce("Saved.");
    feed.put(note);
    if (body.research) work.look();
    return true;
  } catch (error) {
    sending.set({ busy: false, problem: Problem.from(error), saved: null });
    return false;
  }
}
