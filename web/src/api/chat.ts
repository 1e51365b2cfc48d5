/** Conversations, as shared/models/chat.py and shared/events/trace.py write them, and every call about them. */
import * as z from "zod";
import { Frames } from "./frames";
import { Json, maybe } from "./maybe";
import { Citation } from "./note";
import { read, request, send } from "./request";

export const Turn = z.object({
  id: z.string(),
  status: z.enum(["running", "waiting", "done", "failed", "cancelled", "interrupted"]),
  first_seq: z.int(),
  stopping: z.boolean().default(false),
});
export type Turn = z.infer<typeof Turn>;

export const ChatSession = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int().default(1),
  title: maybe(z.string()),
  turn: maybe(Turn),
  /** Nothing of it is remembered, and no memory is used in it. */
  incognito: z.boolean().default(false),
});
export type ChatSession = z.infer<typeof ChatSession>;

export const Undo = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["note_changed", "note_created", "note_deleted"]),
    note_id: z.string(),
  }),
  z.object({ type: z.literal("tasks_created"), task_ids: z.array(z.string()) }),
  z.object({ type: z.literal("task_changed"), task_id: z.string() }),
]);
export type Undo = z.infer<typeof Undo>;

const common = { seq: z.int(), at: z.string(), turn: z.string().default("") };

/** What several agents say of their work; a report that they wrote has it in its trace, too. */
export const OfAgents = [
  z.object({
    ...common,
    type: z.literal("plan"),
    steps: z.array(z.string()),
    sources: z.array(z.string()).default([]),
    attempt: z.int().default(1),
  }),
  z.object({
    ...common,
    type: z.literal("evidence"),
    text: z.string(),
    passages: z.array(z.object({ title: z.string(), url: z.string() })),
  }),
  z.object({
    ...common,
    type: z.literal("critique"),
    verdict: z.enum(["ok", "revise", "replan"]),
    text: z.string(),
    /** It had looked facts up for itself. */
    checked: z.boolean().default(false),
    attempt: z.int().default(1),
  }),
  z.object({
    ...common,
    type: z.literal("verification"),
    verdict: z.enum(["pass", "needs_revision", "fail"]),
    reasons: z.array(z.string()),
    checked: z.boolean().default(false),
    attempt: z.int().default(1),
  }),
] as const;
export type OfAgents = z.infer<(typeof OfAgents)[number]>;

export const ChatEvent = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("user"), text: z.string() }),
  z.object({
    ...common,
    type: z.literal("text"),
    text: z.string(),
    /** All that may be drawn as a link, in whatever form the text names it. */
    links: z.array(z.string()).default([]),
  }),
  z.object({ ...common, type: z.literal("thinking"), text: z.string(), agent: z.string().default("") }),
  z.object({
    ...common,
    type: z.literal("tool_call"),
    agent: z.string().default(""),
    tool: z.string(),
    arguments: Json,
    call_id: z.string().default(""),
  }),
  z.object({
    ...common,
    type: z.literal("tool_result"),
    tool: z.string(),
    ok: z.boolean(),
    result: Json,
    call_id: z.string().default(""),
    undo: maybe(Undo),
    agent: z.string().default(""),
  }),
  z.object({ ...common, type: z.literal("context"), text: z.string() }),
  z.object({
    ...common,
    type: z.literal("recall"),
    text: z.string(),
    /** References of memories; receipts hold the same ones. */
    used: z.array(z.string()),
    withheld: z.record(z.string(), z.string()),
  }),
  ...OfAgents,
  z.object({ ...common, type: z.literal("citations"), citations: z.array(Citation) }),
  z.object({ ...common, type: z.literal("usage"), tokens: z.number(), cost_usd: z.number().default(0) }),
  z.object({
    ...common,
    type: z.literal("approval_request"),
    run_id: z.string(),
    reason: z.enum(["approve_tool", "egress_approval", "approve_answer"]),
    tool: z.string().default(""),
    call_id: z.string().default(""),
    arguments: Json.default({}),
    why: z.string().default(""),
    /** Of an egress_approval: the host that the call would reach. */
    blocked_host: z.string().default(""),
    /** Of an approve_answer: what waits, and what the critic said of it. */
    answer: z.string().default(""),
    /** All that may be drawn as a link in the answer. */
    links: z.array(z.string()).default([]),
    critique: z.string().default(""),
    expires_at: z.string(),
  }),
  z.object({ ...common, type: z.literal("error"), code: z.string(), message: z.string() }),
]);
export type ChatEvent = z.infer<typeof ChatEvent>;

/** The events of an answer; a type that we don't know is skipped. */
function known(values: unknown[]): ChatEvent[] {
  return values.flatMap((value) => {
    const found = ChatEvent.safeParse(value);
    return found.success ? [found.data] : [];
  });
}

export const SessionAnswer = z.object({
  session: ChatSession,
  trace: z.array(z.unknown()).default([]).transform(known),
  next_cursor: maybe(z.string()),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;

export const SessionPage = z.object({ sessions: z.array(ChatSession), next_cursor: maybe(z.string()) });
export type SessionPage = z.infer<typeof SessionPage>;

const StoppedAnswer = z.object({ session: ChatSession });
const UndoneAnswer = z.object({
  undone: z.object({ undone: z.string() }),
});

const SESSIONS = "/api/v1/chat/sessions";
const service = "chat";
const at = (id: string, more = "") => `${SESSIONS}/${encodeURIComponent(id)}${more}`;
const run = (id: string, deed: "resume" | "cancel") => `/api/v1/chat/${encodeURIComponent(id)}/${deed}`;
const STREAM = "text/event-stream";

export const listSessions = (cursor: string | null) =>
  request(SESSIONS, SessionPage, { service, query: { limit: 30, cursor } });

export async function newSession(incognito: boolean): Promise<ChatSession> {
  const ask = { service, method: "POST", body: { incognito }, once: true } as const;
  return (await request(SESSIONS, SessionAnswer, ask)).session;
}

/** The session with the last of its trace, or with what came before event `earlier`. */
export const getSession = (id: string, earlier: string | null = null) =>
  request(at(id), SessionAnswer, { service, query: { earlier } });

export async function renameSession(id: string, title: string): Promise<ChatSession> {
  const ask = { service, method: "PATCH", body: { title } } as const;
  return (await request(at(id), SessionAnswer, ask)).session;
}

export async function deleteSession(id: string): Promise<void> {
  await send(at(id), { service, method: "DELETE" });
}

/** Stops a turn; the session as it is then. */
export async function cancelTurn(id: string): Promise<ChatSession> {
  return (await request(run(id, "cancel"), StoppedAnswer, { service, method: "POST" })).session;
}

/** Takes back the change that the tool result with this number made. */
export async function undoStep(id: string, seq: number): Promise<void> {
  const ask = { service, method: "POST", body: { seq } } as const;
  await request(at(id, "/undo"), UndoneAnswer, ask);
}

/** Says something; the answer streams. A Problem means that it was not taken, unless its status is 0. */
export const say = (id: string, text: string, signal: AbortSignal) =>
  send(at(id, "/messages"), { service, method: "POST", body: { text }, headers: { Accept: STREAM }, signal });

/** `continue` is for a run that was interrupted. */
export type Decision =
  "approve" | "reject" | "egress_allow_once" | "egress_allow_always" | "egress_deny" | "continue";

/** Decides about the call that waits; the turn goes on as a stream. */
export const resume = (id: string, decision: Decision, signal: AbortSignal) =>
  send(run(id, "resume"), {
    service,
    method: "POST",
    body: { decision },
    headers: { Accept: STREAM },
    signal,
  });

/** What is stored after event `after`, as it comes, for as long as the turn runs. */
export const follow = (id: string, after: number, signal: AbortSignal) =>
  send(at(id, "/events"), {
    service,
    query: { after },
    headers: { Accept: STREAM, ...(after > 0 ? { "Last-Event-ID": String(after) } : {}) },
    signal,
  });

/** What a stream says: a stored event, a piece of text on its way, or how the session stands at the end. */
export type Heard =
  | { kind: "event"; event: ChatEvent }
  | { kind: "delta"; of: "text" | "thinking"; text: string }
  | { kind: "done"; session: ChatSession };

const Delta = z.object({ kind: z.enum(["text", "thinking"]), text: z.string() });
const Done = z.object({ session: ChatSession });

/** One frame as what it says; null for what only repeats a stored event, or isn't known. Pure. */
export function heard(event: string, data: string): Heard | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  switch (event) {
    case "trace": {
      const found = ChatEvent.safeParse(value);
      return found.success ? { kind: "event", event: found.data } : null;
    }
    case "delta": {
      const found = Delta.safeParse(value);
      return found.success ? { kind: "delta", of: found.data.kind, text: found.data.text } : null;
    }
    case "done": {
      const found = Done.safeParse(value);
      return found.success ? { kind: "done", session: found.data.session } : null;
    }
    default:
      // `approval_request` and `error` come as stored events, too.
      return null;
  }
}

/** Reads a stream to its end. Where JSON came instead, its events are told as if they had been streamed. */
export async function listen(answer: Response, tell: (what: Heard[]) => void): Promise<void> {
  if (!answer.headers.get("Content-Type")?.includes(STREAM) || !answer.body) {
    const whole = await read(answer, z.object({ session: ChatSession, events: z.array(z.unknown()) }));
    tell(known(whole.events).map((event) => ({ kind: "event", event }) as const));
    tell([{ kind: "done", session: whole.session }]);
    return;
  }
  const frames = new Frames();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const said = frames.push(value).flatMap((frame) => heard(frame.event, frame.data) ?? []);
    if (said.length > 0) tell(said);
  }
}
