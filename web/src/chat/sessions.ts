/** The conversations, newest first, kept true by looking again while they are on screen. */
import { deleteSession, listSessions, renameSession, type ChatSession } from "../api/chat";
import { Problem } from "../api/problem";
import { poll, type Poll } from "../state/poll";
import { signal } from "../state/signal";

export interface Sessions {
  sessions: ChatSession[];
  cursor: string | null;
  ready: boolean;
  problem: Problem | null;
}

const EMPTY: Sessions = { sessions: [], cursor: null, ready: false, problem: null };
const state = signal<Sessions>(EMPTY);
let polling: Poll | null = null;
/** Changes made here: a look that one of them overlaps tells old news. */
let changes = 0;

async function look(old: () => boolean): Promise<void> {
  const before = changes;
  try {
    const page = await listSessions(null);
    if (old()) return;
    if (before !== changes) {
      polling?.now();
      return;
    }
    const first = page.sessions.map(({ id }) => id);
    const oldest = first.at(-1) ?? "";
    // Pages that were fetched further down stay: ids sort by time.
    const rest = page.next_cursor === null ? [] : state.get().sessions.filter(({ id }) => id < oldest);
    const cursor = rest.length > 0 ? state.get().cursor : page.next_cursor;
    state.set({ sessions: [...page.sessions, ...rest], cursor, ready: true, problem: null });
  } catch (error) {
    state.set({ ...state.get(), problem: Problem.from(error) });
  }
}

const pace = () => (state.get().sessions.some(({ turn }) => turn?.status === "running") ? 3_000 : 20_000);

export const sessions = {
  ...state,
  start(): () => void {
    polling = poll(look, pace, () => !state.get().ready);
    return () => polling?.stop();
  },
  look: () => polling?.now(),
  async more(): Promise<void> {
    const { cursor } = state.get();
    if (cursor === null) return;
    try {
      const page = await listSessions(cursor);
      const before = state.get();
      const known = new Set(before.sessions.map(({ id }) => id));
      const fresh = page.sessions.filter(({ id }) => !known.has(id));
      state.set({ ...before, sessions: [...before.sessions, ...fresh], cursor: page.next_cursor });
    } catch (error) {
      state.set({ ...state.get(), problem: Problem.from(error) });
    }
  },
  /** One that was begun or went on here. */
  put(session: ChatSession): void {
    changes += 1;
    const before = state.get();
    const there = before.sessions.some(({ id }) => id === session.id);
    const all = there
      ? before.sessions.map((one) =>
          one.id === session.id && one.revision <= session.revision ? session : one,
        )
      : [session, ...before.sessions];
    state.set({ ...before, sessions: all });
  },
  async rename(id: string, title: string): Promise<ChatSession> {
    const session = await renameSession(id, title);
    sessions.put(session);
    return session;
  },
  async remove(id: string): Promise<void> {
    await deleteSession(id);
    changes += 1;
    const before = state.get();
    state.set({ ...before, sessions: before.sessions.filter((one) => one.id !== id) });
  },
  /** Another person signs in: nothing of this one's lingers. */
  forget(): void {
    changes += 1;
    state.set(EMPTY);
  },
};
