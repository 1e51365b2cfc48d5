/** What is being written, kept on this device until the server has it. */
import * as z from "zod";
import "../api/maybe";
import type { Captured } from "../api/server";
import { keep, shelf, take, type Shelf } from "../state/kept";
import { signal } from "../state/signal";
import { newKey } from "../words/key";
import { asks, tagOf, withoutHashtag } from "./hashtags";

const NAME = "memex.draft";
/** The tag that asks for a report. */
const RESEARCH = "research";

const Draft = z.object({
  text: z.string(),
  tags: z.string().default(""),
  research: z.boolean().default(false),
  /** The key of the last attempt, and exactly what it sent: the same words again reuse it. */
  sent: z.object({ key: z.string(), body: z.string() }).nullable().default(null),
});
export type Draft = z.infer<typeof Draft>;

export const EMPTY: Draft = { text: "", tags: "", research: false, sent: null };

export function loadDraft(on: Shelf): Draft {
  return take(on, NAME, Draft) ?? EMPTY;
}

export function keepDraft(on: Shelf, draft: Draft): void {
  keep(on, NAME, draft === EMPTY ? null : draft);
}

/** "work, #Ideas" -> ["work", "Ideas"]; the server brings them into shape. */
export function tagsIn(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((tag) => tag.replace(/^#+/, ""))
    .filter((tag) => tag !== "");
}

/** A text that is nothing but one web address. */
export function onlyUrl(text: string): string | null {
  const trimmed = text.trim();
  if (!/^https?:\/\/\S+$/i.test(trimmed)) return null;
  return URL.canParse(trimmed) ? trimmed : null;
}

const isResearch = (tag: string) => tagOf(`#${tag}`) === RESEARCH;

/** What asks for research: the tag, in the text or beside it, the switch, or nothing. */
export function askedBy({ text, tags, research }: Draft): "tag" | "switch" | null {
  if (asks(text, RESEARCH) || tagsIn(tags).some(isResearch)) return "tag";
  return research ? "switch" : null;
}

/** The draft with research switched on or off. Off takes the tag out, too: what the switch says is what happens. */
export function switched(draft: Draft, on: boolean): Draft {
  if (on) return { ...draft, research: true };
  const tagged = tagsIn(draft.tags).some(isResearch);
  return {
    ...draft,
    research: false,
    text: withoutHashtag(draft.text, RESEARCH),
    tags: tagged
      ? tagsIn(draft.tags)
          .filter((tag) => !isResearch(tag))
          .join(" ")
      : draft.tags,
  };
}

export function toCapture(draft: Draft): Captured | null {
  const text = draft.text.trim();
  if (text === "") return null;
  const url = onlyUrl(text);
  const tags = tagsIn(draft.tags);
  return {
    source: "web",
    ...(url === null ? { text: draft.text } : { url }),
    ...(tags.length > 0 ? { tags } : {}),
    ...(askedBy(draft) === null ? {} : { research: true }),
  };
}

/** The draft as it goes out: with the key of the last attempt if not a word has changed since. */
export function stamped(draft: Draft, body: Captured): Draft & { sent: { key: string; body: string } } {
  const text = JSON.stringify(body);
  return { ...draft, sent: draft.sent?.body === text ? draft.sent : { key: newKey(), body: text } };
}

export const draft = signal<Draft>(typeof window === "undefined" ? EMPTY : loadDraft(shelf()));

export function write(next: Draft): void {
  draft.set(next);
  keepDraft(shelf(), next);
}
