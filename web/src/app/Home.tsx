import { useEffect } from "react";
import { approvals } from "../approvals/waiting";
import { openChat } from "../chat/sidebar";
import { headline } from "../feed/preview";
import { feed } from "../feed/feed";
import { readNotes, unread } from "../feed/read";
import { everything } from "../feed/wanted";
import { OperationRow } from "../operation/OperationRow";
import { work } from "../operation/work";
import { Heading } from "../parts/Heading";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useSignal } from "../state/signal";
import { useMedia, WIDE } from "../state/useMedia";
import { useTitle } from "../state/useTitle";
import { tasks } from "../tasks/tasks";
import { Age } from "../words/Age";
import { plural } from "../words/money";
import { KEYS } from "./keys";
import { focusCapture } from "./useKeys";

/** What the middle shows while nothing is open: what is new, what waits, what runs, what is to do, how to go on. */
export function Home() {
  const { bin } = useHere();
  useTitle(bin ? "Bin" : "");
  const wide = useMedia(WIDE);
  const { notes, ready, wanted } = useSignal(feed);
  const read = useSignal(readNotes);
  const active = useSignal(work);
  const waiting = useSignal(approvals).length;
  const todo = useSignal(tasks).open.length;
  const fresh = notes.filter((note) => unread(note, read));
  const quiet = fresh.length === 0 && active.length === 0 && waiting === 0 && todo === 0;
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
      {waiting > 0 && (
        <section>
          <h2>Waiting for your word</h2>
          <p>
            <Go room={{ at: "approvals", id: null }}>{plural(waiting, "proposal")}</Go>
          </p>
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
      {wide && <ToDo />}
      {quiet && ready && (notes.length === 0 && everything(wanted) ? <Begin /> : <Quiet />)}
      <Hints />
    </div>
  );
}

/** On an empty store: what comes of what one writes down. */
function Begin() {
  return (
    <section>
      <Heading>Nothing is here yet</Heading>
      <ol className="steps-on">
        <li>
          <strong>Write something down.</strong> It gets a title, a summary and tags, and what there is to do
          in it becomes a task.
        </li>
        <li>
          <strong>Ask a question</strong> with Research switched on. It comes back as a report that names its
          sources.
        </li>
        <li>
          <strong>Talk to it.</strong> The chat answers from your notes, and what it changes can be undone.
        </li>
      </ol>
      <Ways />
    </section>
  );
}

function Quiet() {
  return (
    <section>
      <Heading>Nothing waits for you</Heading>
      <p className="soft">Nothing runs, and nothing is to do. Open a note, or go on here.</p>
      <Ways />
    </section>
  );
}

/** What one can begin with. */
function Ways() {
  return (
    <p className="deeds">
      <button type="button" onClick={focusCapture}>
        Write something down
      </button>
      <button type="button" onClick={openChat}>
        Ask your notes
      </button>
      <Go className="button" room={{ at: "tasks" }}>
        Add a task
      </Go>
    </p>
  );
}

const FEW = 5;

/** The first few tasks; all of them are a room of their own. */
function ToDo() {
  const { open, more } = useSignal(tasks);
  useEffect(() => tasks.start(), []);
  if (open.length === 0) return null;
  const rest = open.length > FEW || more.open;
  return (
    <section className="tasks">
      <h2>To do</h2>
      <ul>
        {open.slice(0, FEW).map((task) => (
          <li key={task.id}>
            <label>
              <input type="checkbox" checked={false} onChange={() => void tasks.tick(task)} />
              <span dir="auto">{task.title}</span>
            </label>
          </li>
        ))}
      </ul>
      {rest && (
        <p>
          <Go room={{ at: "tasks" }}>All tasks</Go>
        </p>
      )}
    </section>
  );
}

const OFTEN = ["c", "/", "j", "k", "Enter", "s", "t", "z", "?"];

/** The keys that one uses most. */
function Hints() {
  const often = KEYS.filter(({ group, keys }) => group === "Anywhere" && OFTEN.includes(keys[0]));
  return (
    <section className="hints">
      <h2 className="kicker">Keys</h2>
      <dl aria-label="Keys">
        {often.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does === "This list" ? "All keys" : does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
