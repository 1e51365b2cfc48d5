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

/** What kind of note this is; plain notes are the rule, so they carry no visible mark. */
export function KindMark({ kind }: { kind: Kind }) {
  return (
    <span className={kind === "capture" ? "unseen" : "kind"} data-kind={kind}>
      {KIND_WORDS[kind]}
    </span>
  );
}
