/** What happens in one conversation: says, hears, follows, stops, decides. It goes on while another one is shown. */
import {
  cancelTurn,
  follow,
  getSession,
  listen,
  resume,
  say,
  type ChatSession,
  type Decision,
} from "../api/chat";
import { Problem } from "../api/problem";
import { approvals } from "../approvals/waiting";
import { feed } from "../feed/feed";
import { plain } from "../feed/preview";
import { work } from "../operation/work";
import { announce } from "../parts/announce";
import { whenBack } from "../session/back";
import { session as signedIn } from "../session/session";
import { signal, type Signal } from "../state/signal";
import { todo } from "../words/tools";
import { add } from "./draft";
import { sessions } from "./sessions";
import { BLANK, gap, hear, newest, older, read, running, SILENT, unheard, type Talk } from "./talk";
import { turnsOf, type Approval } from "./turns";

const PATIENCE = 30_000;
const PAUSE = 1_000;
const LONGEST = 15_000;
const LOST = new Problem(409, "lost", "Memex stopped before it had your message.", "Send it again.");
const SPOKEN = 280;

export interface Conversation {
  state: Signal<Talk>;
  /** Looks at the server; a turn that runs is followed. */
  load: () => Promise<void>;
  /** Fetches what came before. */
  earlier: () => Promise<void>;
  /** Says something; `taken` is called once the server has it. */
  say: (text: string, taken: () => void) => Promise<void>;
  /** Decides about what waits; `taken` is called once the server has it. */
  decide: (decision: Decision, taken?: () => void) => Promise<void>;
  stop: () => Promise<void>;
  /** Shows how the session stands after a change elsewhere on the page. */
  put: (session: ChatSession) => void;
  dismiss: () => void;
}

const all = new Map<string, { talk: Conversation; end: () => void }>();
let key = typeof window === "undefined" ? null : signedIn.get().key;
signedIn.subscribe(() => {
  if (signedIn.get().key === key) return;
  key = signedIn.get().key;
  for (const { end } of all.values()) end();
  all.clear();
  sessions.forget();
});

export function conversation(id: string): Conversation {
  let found = all.get(id);
  if (!found) {
    const over = new AbortController();
    found = { talk: begin(id, over.signal), end: () => over.abort() };
    all.set(id, found);
  }
  return found.talk;
}

/** It is gone for good. */
export function forget(id: string): void {
  all.get(id)?.end();
  all.delete(id);
}

function begin(id: string, over: AbortSignal): Conversation {
  const state = signal<Talk>(BLANK);
  const put = (some: Partial<Talk>) => state.set({ ...state.get(), ...some });
  const failed = (at: NonNullable<Talk["problem"]>["at"], error: unknown) =>
    put({ problem: { at, told: Problem.from(error) } });
  let following = false;
  /** A message of which nobody knows whether it arrived, and the last event before it. */
  let unsure: { text: string; after: number } | null = null;

  const tell = (what: Parameters<typeof hear>[1]) => {
    const missed = what.some((one) => gap(state.get(), one));
    state.set(hear(state.get(), what));
    if (missed) void look().catch((error: unknown) => failed("load", error));
    const { session } = state.get();
    if (session && what.some((one) => one.kind === "event" && one.event.type === "user"))
      sessions.put(session);
    for (const one of what) {
      if (one.kind === "event" && one.event.type === "tool_result" && one.event.ok) {
        if (one.event.undo !== null) feed.look();
        if (one.event.tool === "start_research") work.look();
        if (one.event.tool === "queue_approval") approvals.look();
      }
      if (one.kind === "event" && one.event.type === "approval_request") approvals.look();
      if (one.kind === "done") sessions.put(one.session);
    }
  };

  const look = async () => {
    const answer = await getSession(id);
    if (over.aborted) return;
    state.set(read(state.get(), answer));
    sessions.put(answer.session);
  };

  /** Hears a stream to its end. What broke off is looked for again; how it ended is said aloud. */
  const heed = async (answer: Response) => {
    put({ link: "live", problem: null });
    const end = { heard: false };
    try {
      await listen(answer, (what) => {
        tell(what);
        end.heard ||= what.some(({ kind }) => kind === "done");
      });
    } catch {
      // The connection broke: the turn goes on without us.
    }
    if (over.aborted) return;
    put({ streaming: SILENT, link: end.heard ? "idle" : "away" });
    if (!end.heard) await pursue();
    returned();
    ended();
  };

  /** Finds out how it stands, and follows what runs until it is over or waits. */
  const pursue = async () => {
    if (following) return;
    following = true;
    let failures = 0;
    while (!over.aborted) {
      try {
        await look();
        if (!running(state.get())) break;
        if (document.visibilityState !== "visible") {
          await visible(over);
          continue;
        }
        await whileSeen(over, async (signal) => {
          const answer = await follow(id, newest(state.get()), signal);
          put({ link: "live" });
          await listen(answer, (what) => {
            failures = -1;
            tell(what);
          });
        });
        failures += 1;
        if (!running(state.get())) break;
      } catch (error) {
        failures += 1;
        const problem = Problem.from(error);
        if (problem.status === 401 || problem.status === 404) {
          failed("load", problem);
          break;
        }
      }
      put({ link: "away" });
      await pause(Math.min(LONGEST, PAUSE * 2 ** Math.max(0, failures - 1)), over);
    }
    following = false;
    put({ link: "idle", streaming: SILENT });
  };

  /** A message that the server took and never stored goes back to whoever wrote it. */
  const returned = () => {
    if (over.aborted) return;
    const lost = unheard(state.get());
    put({ said: null });
    if (lost === null) return;
    add(id, lost);
    if (state.get().problem === null) failed("send", LOST);
  };

  const ended = () => {
    const talk = state.get();
    const turn = turnsOf(talk.events, talk.session).at(-1);
    if (!turn || over.aborted || running(talk)) return;
    if (turn.approval) announce(`Memex asks for your word: ${asking(turn.approval)}`);
    else if (turn.ended) announce(`No answer: ${turn.ended.message}`);
    else if (turn.answer) announce(`Memex answered: ${plain(turn.answer.text).slice(0, SPOKEN)}`);
    feed.look();
    approvals.look();
  };

  const load = async () => {
    if (state.get().link !== "idle") return;
    try {
      await look();
    } catch (error) {
      failed("load", error);
      return;
    }
    if (!running(state.get())) return;
    put({ link: "away" });
    await pursue();
    ended();
  };

  /** Whether a message that may have been lost arrived after all. */
  const arrived = async (text: string) => {
    if (unsure?.text !== text) return false;
    const { after } = unsure;
    await look();
    return state
      .get()
      .events.some((event) => event.type === "user" && event.seq > after && event.text === text);
  };

  return {
    state,
    load,
    earlier: async () => {
      try {
        state.set(older(state.get(), await getSession(id, state.get().earlier)));
      } catch (error) {
        failed("load", error);
      }
    },
    say: async (text, taken) => {
      if (state.get().link !== "idle" || running(state.get())) return;
      const after = newest(state.get());
      put({ link: "sending", problem: null, said: { text, after } });
      try {
        if (state.get().session === null) await look();
        if (await arrived(text)) {
          unsure = null;
          taken();
          put({ link: "away", said: null });
          await pursue();
          ended();
          return;
        }
        const answer = await patiently(over, (signal) => say(id, text, signal));
        unsure = null;
        taken();
        await heed(answer);
      } catch (error) {
        if (over.aborted) return;
        const problem = Problem.from(error);
        if (problem.status === 0) unsure = { text, after: unsure?.text === text ? unsure.after : after };
        put({ link: "idle", said: null });
        failed("send", problem);
        // Another window, or another device, began it: show what runs.
        if (problem.code === "turn_running") await load();
      }
    },
    decide: async (decision, taken) => {
      const { session, link } = state.get();
      if (!session?.turn || link !== "idle") return;
      put({ link: "sending", problem: null });
      const run = session.turn.id;
      try {
        const answer = await patiently(over, (signal) => resume(run, decision, signal));
        put({ session: { ...session, turn: { ...session.turn, status: "running" } } });
        taken?.();
        // Nothing waits there any more: whoever counts it looks at once.
        approvals.look();
        await heed(answer);
      } catch (error) {
        if (over.aborted) return;
        put({ link: "idle" });
        failed("decide", error);
        if (Problem.from(error).unsure) await look().catch(() => undefined);
        const turn = state.get().session?.turn;
        // The answer was lost, the word was not.
        if (turn?.id === run && turn.status !== "waiting" && Problem.from(error).unsure) {
          put({ problem: null });
          taken?.();
        }
        // It may have been decided elsewhere, or its time was over: show how it stands.
        await load();
      }
    },
    stop: async () => {
      const turn = state.get().session?.turn;
      if (!turn) return;
      try {
        const stopped = await cancelTurn(turn.id);
        put({ session: stopped });
        if (!running(state.get())) await load();
      } catch (error) {
        failed("stop", error);
      }
    },
    put: (session) => {
      const known = state.get().session;
      if (known === null || known.revision <= session.revision) put({ session });
    },
    dismiss: () => put({ problem: null }),
  };
}

/** What waits for a person's word, as a question. */
function asking({ tool, arguments: asked }: Approval): string {
  return tool === "" ? "may this be the answer?" : `may I ${todo(tool, asked)}?`;
}

/** Waits for the head of an answer for so long; the stream after it may take its time. */
async function patiently(
  over: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return await ask(AbortSignal.any([over, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? Problem.unreached() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A held stream is a billed instance: nobody looking means no stream. */
async function whileSeen(over: AbortSignal, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const gone = new AbortController();
  const check = () => {
    if (document.visibilityState !== "visible") gone.abort();
  };
  document.addEventListener("visibilitychange", check);
  try {
    await act(AbortSignal.any([over, gone.signal]));
  } finally {
    document.removeEventListener("visibilitychange", check);
  }
}

function visible(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== "visible" && !over.aborted) return;
      document.removeEventListener("visibilitychange", check);
      resolve();
    };
    document.addEventListener("visibilitychange", check);
    over.addEventListener("abort", check);
  });
}

/** Waits; not longer than until something else on this page reached the server again. */
function pause(milliseconds: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const unsubscribe = whenBack(end);
    over.addEventListener("abort", end);
  });
}
