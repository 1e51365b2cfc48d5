/** What notes are called, also those that are not in the feed. */
import { getNote } from "../api/server";
import { askedOnce } from "../state/asked";
import { useSignal } from "../state/signal";
import { feed } from "./feed";
import { headline } from "./preview";

const useAsked = askedOnce<string | null>(async (id) => headline((await getNote(id)).note), null);

/** A note's title; undefined while nobody knows it, null where the note is gone. */
export function useTitleOf(id: string | null): string | null | undefined {
  const row = useSignal(feed).notes.find((note) => note.id === id);
  const asked = useAsked(row ? null : id);
  return row ? headline(row) : asked;
}
