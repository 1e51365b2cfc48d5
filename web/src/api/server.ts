/** Every call this client makes, by name. */
import { EventPage, readEvent, type OperationEvent } from "./event";
import { NoteAnswer, NotePage, type Kind, type Note, type Thesis } from "./note";
import { OperationAnswer, OperationPage, type Operation } from "./operation";
import { hitOf, matches } from "../feed/matching";
import { fresh, request, send } from "./request";
import { TaskAnswer, TaskPage, type Task } from "./task";
import { NoteWithTrace } from "./trace";

const one = (id: string) => encodeURIComponent(id);

export interface Wanted {
  text: string;
  tags: string[];
  kind: Kind | null;
  bin: boolean;
}

export interface Captured {
  source: "web";
  text?: string;
  url?: string;
  tags?: string[];
  research?: boolean;
}

export interface Changes {
  title?: string | null;
  body?: string;
  tags?: string[];
  /** Of a thesis alone. */
  thesis?: { status?: Thesis["status"]; confidence?: number | null };
}

export const PAGE = 30;
const BIN_PAGE = 100;
const BIN_PAGES = 10;

export async function listNotes(wanted: Wanted, cursor: string | null, limit = PAGE): Promise<NotePage> {
  // The server takes one tag; further ones are words to find.
  const tag = wanted.tags[0];
  const q = [wanted.text, ...wanted.tags.slice(1)].join(" ").trim();
  if (wanted.bin && q !== "") return searchBin(wanted, q, cursor);
  const page = await fresh("/api/v1/notes", NotePage, {
    limit,
    cursor,
    kind: wanted.kind,
    tag,
    q,
    deleted: wanted.bin,
  });
  // A tag that no note has may be one that is still being typed: then it is a word to find like any other.
  const typed = tag !== undefined && q === "" && cursor === null && !wanted.bin && page.notes.length === 0;
  return typed ? fresh("/api/v1/notes", NotePage, { limit, kind: wanted.kind, q: tag }) : page;
}

/** The server's search leaves the bin out: its pages are read until there is a screenful of hits. */
async function searchBin(wanted: Wanted, q: string, cursor: string | null): Promise<NotePage> {
  const hits: Note[] = [];
  const plain = { ...wanted, text: "", tags: wanted.tags.slice(0, 1) };
  for (let pages = 0; pages < BIN_PAGES; pages += 1) {
    const page = await listNotes(plain, cursor, BIN_PAGE);
    const found = page.notes.filter((note) => matches(note, q));
    hits.push(...found.map((note) => ({ ...note, hit: hitOf(note, q) })));
    cursor = page.next_cursor;
    if (cursor === null || hits.length >= PAGE) break;
  }
  return { notes: hits, next_cursor: cursor };
}

export const getNote = (id: string) => fresh(`/api/v1/notes/${one(id)}`, NoteWithTrace);

export async function capture(body: Captured, idempotency: string): Promise<Note> {
  const ask = {
    service: "capture",
    method: "POST",
    body,
    headers: { "Idempotency-Key": idempotency },
  } as const;
  return (await request("/api/v1/captures", NoteAnswer, ask)).note;
}

/** Fails with 409 or 412 when someone else changed the note first. */
export async function editNote(id: string, changes: Changes, revision: number): Promise<Note> {
  const ask = { method: "PATCH", body: changes, headers: { "If-Match": String(revision) } } as const;
  return (await request(`/api/v1/notes/${one(id)}`, NoteAnswer, ask)).note;
}

export async function deleteNote(id: string): Promise<void> {
  await send(`/api/v1/notes/${one(id)}`, { method: "DELETE" });
}

export async function restoreNote(id: string): Promise<void> {
  const note = `/api/v1/notes/${one(id)}`;
  await send(`${note}/restore`, { method: "POST", changes: note });
}

export async function enrichNote(id: string): Promise<void> {
  await send(`/api/v1/notes/${one(id)}/enrich`, { method: "POST", once: true });
}

export async function researchNote(id: string): Promise<Operation> {
  const ask = { method: "POST", once: true } as const;
  return (await request(`/api/v1/notes/${one(id)}/research`, OperationAnswer, ask)).operation;
}

/** One page of tasks, newest first. */
export const listTasks = (status: Task["status"], cursor: string | null) =>
  request("/api/v1/tasks", TaskPage, { query: { status, limit: 100, cursor } });

export async function addTask(title: string): Promise<Task> {
  const all = "/api/v1/tasks";
  const ask = { method: "POST", body: { title }, once: true, changes: all } as const;
  return (await request(all, TaskAnswer, ask)).task;
}

export async function tasksOf(noteId: string): Promise<Task[]> {
  return (await request("/api/v1/tasks", TaskPage, { query: { source_note_id: noteId } })).tasks;
}

export async function setTask(id: string, status: Task["status"]): Promise<Task> {
  const ask = { method: "PATCH", body: { status } } as const;
  return (await request(`/api/v1/tasks/${one(id)}`, TaskAnswer, ask)).task;
}

export async function activeOperations(): Promise<Operation[]> {
  return (await request("/api/v1/operations", OperationPage, { query: { status: "active", limit: 100 } }))
    .operations;
}

/** What goes on by itself beside the conversations; other lists leave it out. With `active`, what has not ended. */
export const listUpkeep = (active = false) =>
  request("/api/v1/operations", OperationPage, {
    query: { kind: "memory_generation", limit: PAGE, ...(active ? { status: "active" } : {}) },
  });

export const listOperations = (cursor: string | null) =>
  request("/api/v1/operations", OperationPage, { query: { limit: PAGE, cursor } });

export async function getOperation(id: string): Promise<Operation> {
  return (await request(`/api/v1/operations/${one(id)}`, OperationAnswer)).operation;
}

export async function cancelOperation(id: string): Promise<void> {
  await send(`/api/v1/operations/${one(id)}/cancel`, { method: "POST" });
}

export async function retryOperation(id: string): Promise<Operation> {
  const ask = { method: "POST", once: true } as const;
  return (await request(`/api/v1/operations/${one(id)}/retry`, OperationAnswer, ask)).operation;
}

/** Tells an operation what it waits for. */
export async function giveInput(id: string, text: string): Promise<Operation> {
  const ask = { method: "POST", body: { text } } as const;
  return (await request(`/api/v1/operations/${one(id)}/input`, OperationAnswer, ask)).operation;
}

/** Asks an agent; the notes are those that it shall read. */
export async function askAgent(question: string, noteIds: string[]): Promise<Operation> {
  const body = { kind: "agent_task" as const, input: { question, note_ids: noteIds } };
  const ask = { method: "POST", body, once: true } as const;
  return (await request("/api/v1/operations", OperationAnswer, ask)).operation;
}

export const eventsPath = (id: string) => `/api/v1/operations/${one(id)}/events`;

/** The events after number `after` that are there now; `more` when the answer was cut. */
export async function eventsOf(
  id: string,
  after: number,
  signal?: AbortSignal,
): Promise<{ events: OperationEvent[]; newest: number; more: boolean }> {
  const page = await request(eventsPath(id), EventPage, {
    query: { after },
    ...(signal ? { signal } : {}),
  });
  const events = page.events.flatMap((value) => readEvent(value) ?? []);
  const newest = events.at(-1)?.seq ?? after;
  return { events, newest, more: page.next_cursor !== null && newest > after };
}
