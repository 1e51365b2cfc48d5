/** Sends the draft once, however often one clicks. */
import { Problem } from "../api/problem";
import type { Note } from "../api/note";
import { capture } from "../api/server";
import { feed } from "../feed/feed";
import { whenBack } from "../session/back";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { signal } from "../state/signal";
import { draft, EMPTY, stamped, toCapture, write } from "./draft";

export interface Sending {
  busy: boolean;
  problem: Problem | null;
  saved: Note | null;
  /** It was sent without a press of the button, once Memex was within reach again. */
  byItself: boolean;
}

export const sending = signal<Sending>({ busy: false, problem: null, saved: null, byItself: false });
whenBack(() => void sendLost());

/** True when the note is saved; the draft is cleared only then. */
export async function sendDraft(byItself = false): Promise<boolean> {
  if (sending.get().busy) return false;
  const body = toCapture(draft.get());
  if (body === null) return false;
  const going = stamped(draft.get(), body);
  write(going);
  sending.set({ busy: true, problem: null, saved: null, byItself });
  try {
    const note = await capture(body, going.sent.key);
    write(EMPTY);
    sending.set({ busy: false, problem: null, saved: note, byItself });
    announce(byItself ? "Memex is back. What you had sent is saved." : "Saved.");
    feed.put(note);
    if (body.research) work.look();
    return true;
  } catch (error) {
    sending.set({ busy: false, problem: Problem.from(error), saved: null, byItself });
    return false;
  }
}

/** Sends again what a lost connection held back, unless somebody has written on since. */
async function sendLost(): Promise<void> {
  const now = draft.get();
  const body = toCapture(now);
  if (sending.get().problem?.status !== 0 || body === null) return;
  if (now.sent?.body === JSON.stringify(body)) await sendDraft(true);
}
