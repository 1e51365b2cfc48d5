/** One conversation as this page knows it, and what hearing more makes of it. Pure. */
import type { ChatEvent, ChatSession, Heard, SessionAnswer } from "../api/chat";
import type { Problem } from "../api/problem";

export interface Talk {
  session: ChatSession | null;
  /** In order, without gaps from the first one known. */
  events: ChatEvent[];
  /** Leads to what came before them. */
  earlier: string | null;
  /** Text on its way; the stored event takes its place. */
  streaming: { text: string; thinking: string };
  /** What was said last from here, and the last event before it: until the server tells it, it is shown all the same. */
  said: { text: string; after: number } | null;
  /** `sending` until the server took the message; `live` while a stream is open; `away` while it is looked for. */
  link: "idle" | "sending" | "live" | "away";
  /** What went wrong, and with what. */
  problem: { at: "load" | "send" | "decide" | "stop"; told: Problem } | null;
}

const TITLE = 80;
export const SILENT = { text: "", thinking: "" };
export const BLANK: Talk = {
  session: null,
  events: [],
  earlier: null,
  streaming: SILENT,
  said: null,
  link: "idle",
  problem: null,
};

export const running = (talk: Talk) => talk.session?.turn?.status === "running";
export const newest = (talk: Talk) => talk.events.at(-1)?.seq ?? 0;

/** The message that the server took, and that no event tells yet. While it is being sent, it stands in its box. */
export function unheard({ said, events, link }: Talk): string | null {
  if (said === null || link === "sending") return null;
  return events.some(({ type, seq }) => type === "user" && seq > said.after) ? null : said.text;
}

/** Events by number; a number that comes twice is the same event. */
export function merged(before: ChatEvent[], more: ChatEvent[]): ChatEvent[] {
  const fresh = more.filter((event) => !before.some(({ seq }) => seq === event.seq));
  return fresh.length === 0 ? before : [...before, ...fresh].sort((one, other) => one.seq - other.seq);
}

/** What the server said of it just now. */
export function read(talk: Talk, { session, trace, next_cursor }: SessionAnswer): Talk {
  const first = trace[0]?.seq ?? 0;
  // More than a page came since we last looked: what lies between is fetched as earlier events.
  const apart = talk.events.length > 0 && first > newest(talk) + 1;
  const kept = apart ? [] : talk.events;
  const older = kept[0] !== undefined && kept[0].seq < first;
  return {
    ...talk,
    // A stream may have brought a newer one while this was on its way.
    session: talk.session && talk.session.revision > session.revision ? talk.session : session,
    events: merged(kept, trace),
    earlier: older ? talk.earlier : next_cursor,
    problem: talk.problem?.at === "load" ? null : talk.problem,
  };
}

/** Whether something was stored before it that we have not heard of. */
export function gap(talk: Talk, what: Heard): boolean {
  return what.kind === "event" && talk.events.length > 0 && what.event.seq > newest(talk) + 1;
}

export function older(talk: Talk, { trace, next_cursor }: SessionAnswer): Talk {
  return { ...talk, events: merged(talk.events, trace), earlier: next_cursor };
}

export function hear(talk: Talk, what: Heard[]): Talk {
  return what.reduce(one, talk);
}

function one(talk: Talk, what: Heard): Talk {
  const { streaming } = talk;
  switch (what.kind) {
    case "delta":
      return { ...talk, streaming: { ...streaming, [what.of]: streaming[what.of] + what.text } };
    case "done":
      return { ...talk, session: what.session, streaming: SILENT };
    case "event":
      return {
        ...talk,
        session: stands(talk.session, what.event),
        events: merged(talk.events, [what.event]),
        streaming: stored(streaming, what.event),
      };
  }
}

/** A stored text replaces what was streamed of it; a call means that the words before it are stored, too. */
function stored(streaming: Talk["streaming"], event: ChatEvent): Talk["streaming"] {
  if (event.type === "thinking") return { ...streaming, thinking: "" };
  if (event.type === "text") return { ...streaming, text: "" };
  return event.type === "tool_call" || event.type === "error" ? SILENT : streaming;
}

/** What the server calls a conversation that nobody named: the first thing said in it, in one short line. */
function titleOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > TITLE ? `${line.slice(0, TITLE - 1).trimEnd()}…` : line;
}

/** How the session stands once this happened; its end comes with `done`. */
function stands(session: ChatSession | null, event: ChatEvent): ChatSession | null {
  if (session === null || event.turn === "") return session;
  if (event.type === "user") {
    return {
      ...session,
      title: session.title ?? titleOf(event.text),
      turn: { id: event.turn, status: "running", first_seq: event.seq, stopping: false },
    };
  }
  if (event.type === "approval_request" && session.turn?.id === event.turn) {
    return { ...session, turn: { ...session.turn, status: "waiting" } };
  }
  return session;
}
