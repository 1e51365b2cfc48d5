/** A note, as shared/models/note.py writes it. */
import * as z from "zod";
import { maybe } from "./maybe";

export const KINDS = ["capture", "link", "research", "digest", "review", "thesis"] as const;
export const Kind = z.enum(KINDS);
export type Kind = z.infer<typeof Kind>;

export const Citation = z.object({
  number: z.int(),
  title: z.string(),
  url: z.string(),
  source_kind: z.enum(["note", "research", "memory", "web", "mcp"]).default("web"),
  note_id: maybe(z.string()),
  quote: maybe(z.string()),
});
export type Citation = z.infer<typeof Citation>;

export const Enrichment = z.object({
  status: z.enum(["pending", "enriched", "failed", "none"]).default("none"),
  error: maybe(z.string()),
  tags: z.array(z.string()).default([]),
});

export const ResearchState = z.object({
  requested: z.boolean().default(false),
  status: maybe(z.enum(["queued", "running", "completed", "failed", "cancelled"])),
  operation_id: maybe(z.string()),
  error: maybe(z.string()),
});

export const Evidence = z.object({ text: z.string(), source: z.string(), added_at: z.string() });
export type Evidence = z.infer<typeof Evidence>;

export const Thesis = z.object({
  status: z.enum(["draft", "active", "validated", "invalidated"]).default("draft"),
  /** 0 to 100; null where nobody has judged. */
  confidence: maybe(z.int()),
  supporting: z.array(Evidence).default([]),
  opposing: z.array(Evidence).default([]),
});
export type Thesis = z.infer<typeof Thesis>;

/** Some text, and whether it is a word that was searched for. */
export const Piece = z.object({ text: z.string(), hit: z.boolean().default(false) });
export type Piece = z.infer<typeof Piece>;

/** Where a note says what was searched for; both texts are as Markdown has them. */
export const Hit = z.object({ note_id: z.string(), title: z.array(Piece), passage: z.array(Piece) });
export type Hit = z.infer<typeof Hit>;

export const Note = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int().default(1),
  kind: Kind,
  body: z.string(),
  title: maybe(z.string()),
  summary: maybe(z.string()),
  url: maybe(z.string()),
  tags: z.array(z.string()).default([]),
  source: z.string().default("api"),
  source_note_id: maybe(z.string()),
  task_ids: z.array(z.string()).default([]),
  enrichment: Enrichment.default({ status: "none", error: null, tags: [] }),
  research: ResearchState.default({ requested: false, status: null, operation_id: null, error: null }),
  citations: z.array(Citation).default([]),
  deleted_at: maybe(z.string()),
  thesis: maybe(Thesis),
});
export type Note = z.infer<typeof Note> & {
  /** Only in the answer to a search. */
  hit?: Hit;
};

export const NoteAnswer = z.object({ note: Note });
/** A page of notes, each with its hit. */
export const NotePage = z
  .object({ notes: z.array(Note), next_cursor: maybe(z.string()), hits: z.array(Hit).default([]) })
  .transform(({ notes, next_cursor, hits }) => {
    const found = new Map(hits.map((hit) => [hit.note_id, hit]));
    const whole = notes.map((note): Note => {
      const hit = found.get(note.id);
      return hit ? { ...note, hit } : note;
    });
    return { notes: whole, next_cursor };
  });
export type NotePage = z.infer<typeof NotePage>;

/** Something about the note is still going to change by itself. */
export function pending(note: Note): boolean {
  return note.enrichment.status === "pending" || researching(note);
}

/** A report is on its way. */
export function researching(note: Note): boolean {
  const { requested, status } = note.research;
  return requested || status === "queued" || status === "running";
}
