import type { Kind } from "../api/note";

export const KIND_WORDS: Record<Kind, string> = {
  capture: "Note",
  link: "Link",
  research: "Report",
  digest: "Digest",
  review: "Review",
  thesis: "Thesis",
};

export const KINDS_WORDS: Record<Kind, string> = {
  capture: "Notes",
  link: "Links",
  research: "Reports",
  digest: "Digests",
  review: "Reviews",
  thesis: "Theses",
};

/** What a kind is, for someone who finds none of it. */
export const KIND_MEANING: Record<Kind, string> = {
  capture: "No notes of your own yet. What you write into the box on top becomes one.",
  link: "No links yet. Save nothing but a web address, and it becomes one.",
  research:
    "No reports yet. A report answers a question with sources: switch on Research when you save the question.",
  digest: "No digests yet. A digest sums up what was captured in a day.",
  review: "No reviews yet. A review looks back over a longer time: what was done, and what is still open.",
  thesis: "No theses yet. A thesis is a claim that is kept, with what speaks for it and against it.",
};

/** What kind of note this is; plain notes are the rule, so they carry no visible mark. */
export function KindMark({ kind }: { kind: Kind }) {
  return (
    <span className={kind === "capture" ? "unseen" : "kind"} data-kind={kind}>
      {KIND_WORDS[kind]}
    </span>
  );
}
