/** Which changes were taken back from this device, so that a reload doesn't offer it again. */
import * as z from "zod";
import "../api/maybe";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

const NAME = "memex.chat.undone";
const MOST = 200;

export const undone = signal<string[]>(
  typeof window === "undefined" ? [] : (take(shelf(), NAME, z.array(z.string())) ?? []),
);

export const nameOf = (session: string, seq: number) => `${session} ${seq}`;

export function markUndone(session: string, seq: number): void {
  const next = [...undone.get(), nameOf(session, seq)].slice(-MOST);
  undone.set(next);
  keep(shelf(), NAME, next);
}
