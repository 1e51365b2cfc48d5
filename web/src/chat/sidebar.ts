/** The chat on this device: whether its column is open, how wide it is, and which conversation it shows. */
import * as z from "zod";
import "../api/maybe";
import { HOME, to } from "../route/address";
import { back, go, here } from "../route/here";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

/** Where there is room for a third column; below that the chat is a page. */
export const ROOMY = "(min-width: 75rem)";
export const NARROWEST = 320;
export const WIDEST = 640;
const NAME = "memex.chat";

const Kept = z.object({
  open: z.boolean().default(false),
  width: z.number().default(400),
  session: z.string().nullable().default(null),
});
export type Sidebar = z.infer<typeof Kept>;

const FIRST: Sidebar = { open: false, width: 400, session: null };

export const sidebar = signal<Sidebar>(
  typeof window === "undefined" ? FIRST : (take(shelf(), NAME, Kept) ?? FIRST),
);

export function change(some: Partial<Sidebar>): void {
  const next = { ...sidebar.get(), ...some };
  sidebar.set(next);
  keep(shelf(), NAME, next);
}

export function widen(width: number): void {
  change({ width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))) });
}

const roomy = () => window.matchMedia(ROOMY).matches;

/** Shows a conversation, or with null the list of them. A note that is open beside the chat stays open. */
export function show(id: string | null, how: "push" | "replace" = "push"): void {
  change({ session: id });
  const { room } = here.get();
  if (room.at === "chat" || !roomy()) go(to({ at: "chat", id }, here.get()), how);
}

/** Opens the chat, or closes it. */
export function toggle(): void {
  if (here.get().room.at === "chat" || (roomy() && sidebar.get().open)) leave();
  else openChat();
}

/** Opens it: whoever does so writes next, unless something in it asks first. The focus goes there once it is drawn. */
export function openChat(): void {
  if (roomy()) change({ open: true });
  else go(to({ at: "chat", id: sidebar.get().session }, here.get()));
  setTimeout(() => {
    if (document.activeElement?.closest(".chat-pane")) return;
    document.querySelector<HTMLElement>("[data-message]")?.focus();
  });
}

export function leave(): void {
  if (roomy()) change({ open: false });
  const now = here.get();
  if (now.room.at === "chat") back({ ...HOME, q: now.q, kind: now.kind, bin: now.bin });
}
