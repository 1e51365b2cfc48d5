import type { Citation, Evidence, Note, Thesis } from "../api/note";
import { Age } from "../words/Age";
import { Judgement } from "./Judgement";
import { CiteLink } from "./Sources";

const STATUS: Record<Thesis["status"], string> = {
  draft: "Draft: not yet put to the test",
  active: "Active: being put to the test",
  validated: "Validated: the evidence bears it",
  invalidated: "Invalidated: the evidence speaks against it",
};

interface Props {
  note: Note;
  thesis: Thesis;
  sources: Citation[];
  saved: (note: Note) => void;
  reload: () => void;
}

/** Where a thesis stands: its status, how sure one is, and what speaks for it and against it. */
export function ThesisView({ note, thesis, sources, saved, reload }: Props) {
  const { status, confidence, supporting, opposing } = thesis;
  return (
    <section className="thesis" aria-label="Thesis">
      <p>
        <strong>{STATUS[status]}</strong>
      </p>
      <p className="soft">Confidence: {confidence === null ? "not judged" : `${confidence} of 100`}</p>
      {note.deleted_at === null && (
        <Judgement note={note} thesis={thesis} words={STATUS} saved={saved} reload={reload} />
      )}
      <div className="versions">
        <Side title="For" pieces={supporting} sources={sources} />
        <Side title="Against" pieces={opposing} sources={sources} />
      </div>
    </section>
  );
}

function Side({ title, pieces, sources }: { title: string; pieces: Evidence[]; sources: Citation[] }) {
  return (
    <div className="version">
      <h2>
        {title} ({pieces.length})
      </h2>
      {pieces.length === 0 && <p className="soft">Nothing yet.</p>}
      <ul>
        {pieces.map((piece, at) => {
          const source = sources.find(({ url }) => url === piece.source);
          return (
            <li key={at}>
              <p dir="auto">
                {piece.text}
                {source && (
                  <sup className="cites">
                    <span>
                      <CiteLink citation={source} />
                    </span>
                  </sup>
                )}
              </p>
              <p className="soft">
                <Age at={piece.added_at} />
              </p>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
