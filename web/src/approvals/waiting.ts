/** How much waits for a person: the badge. It knows ids only; the room reads the whole. */
import * as z from "zod";
import { maybe } from "../api/maybe";
import { fresh } from "../api/request";
import { announce } from "../parts/announce";
import { poll, type Poll } from "../state/poll";
import { signal } from "../state/signal";

const PACE = 20_000;
const Waiting = z.object({
  approvals: z.array(z.object({ id: z.string() })),
  waiting: maybe(z.array(z.object({ run_id: z.string() }))),
});

const state = signal<string[]>([]);
let polling: Poll | null = null;
let before: string[] | null = null;

async function look(): Promise<void> {
  try {
    const page = await fresh("/api/v1/approvals", Waiting, { status: "pending", limit: 100 });
    const ids = page.approvals.map(({ id }) => id);
    const known = before;
    if (known && ids.some((id) => !known.includes(id))) announce("A proposal waits for your approval.");
    before = ids;
    // What waits in a conversation was said aloud there.
    const all = [...(page.waiting ?? []).map(({ run_id }) => run_id), ...ids];
    if (all.join() !== state.get().join()) state.set(all);
  } catch {
    // The badge keeps its number; the room itself says what is wrong.
  }
}

export const approvals = {
  ...state,
  start(): () => void {
    polling = poll(look, () => PACE);
    return () => polling?.stop();
  },
  look: () => polling?.now(),
};
