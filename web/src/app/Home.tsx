import { headline } from "../feed/preview";
import { feed } from "../feed/feed";
import { readNotes, unread } from "../feed/read";
import { OperationRow } from "../operation/OperationRow";
import { work } from "../operation/work";
import { Heading } from "../parts/Heading";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useTitle } from "../state/useTitle";
import { Age } from "../words/Age";

/** What the middle shows while nothing is open: what is new, what runs, how to go on. */
export function Home() {
  useTitle("");
  const { notes } = useSignal(feed);
  const read = useSignal(readNotes);
  const active = useSignal(work);
  const fresh = notes.filter((note) => unread(note, read));
  return (
    <div className="page home">
      {fresh.length > 0 && (
        <section>
          <Heading>{fresh.length === 1 ? "A report has come back" : "Reports have come back"}</Heading>
          <ul className="work">
            {fresh.map((note) => (
              <li key={note.id} className="work-row">
                <Go room={{ at: "note", id: note.id }} className="work-title" dir="auto">
                  {headline(note)}
                </Go>
                <p className="soft">
                  <Age at={note.created_at} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {active.length > 0 && (
        <section>
          <h2>Running now</h2>
          <ul className="work">
            {active.map((operation) => (
              <OperationRow key={operation.id} operation={operation} changed={() => work.look()} />
            ))}
          </ul>
        </section>
      )}
      <p className="soft hints">
        <kbd>c</kbd> capture <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open{" "}
        <kbd>s</kbd> chat <kbd>?</kbd> all keys
      </p>
    </div>
  );
}
