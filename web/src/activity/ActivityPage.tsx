import { useState } from "react";
import { useNameOf } from "../chat/names";
import { listActivity, type Deed, type DeadLetter, type Entry } from "../api/activity";
import { Problem } from "../api/problem";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { Age } from "../words/Age";
import { deedWords, givenUp, grouped, lasted, TOUCHES, type Group } from "./words";

const PACE = 20_000;

/** What every tool call did, newest first: of one conversation, or of all; and what was given up. */
export function ActivityPage({ id }: { id: string | null }) {
  useTitle("Activity");
  const { data, problem, reload } = usePolled(
    `activity ${id}`,
    () => listActivity(id, null),
    () => PACE,
  );
  const [older, setOlder] = useState<{ activity: Entry[]; cursor: string | null } | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const known = new Set(older?.activity.map((entry) => entry.id));
  const all = data
    ? [...data.activity.filter((entry) => !known.has(entry.id)), ...(older?.activity ?? [])]
    : [];
  const cursor = older ? older.cursor : (data?.next_cursor ?? null);
  const more = () => {
    setFailed(null);
    listActivity(id, cursor).then(
      (next) => setOlder({ activity: [...all, ...next.activity], cursor: next.next_cursor }),
      (error: unknown) => setFailed(Problem.from(error)),
    );
  };
  return (
    <div className="page">
      <header>
        {id !== null && (
          <p className="kicker">
            <Go room={{ at: "activity", id: null }}>All activity</Go>
          </p>
        )}
        <Heading>{id === null ? "Activity" : "What was done here"}</Heading>
        <p className="soft">
          Every use of a tool, and what was decided about it. What is secret in the arguments is masked.
        </p>
      </header>
      {problem && (
        <ProblemNote
          problem={problem}
          {...(data ? { saved: "What you see is from before." } : {})}
          again={reload}
        />
      )}
      {!data && !problem && <p className="soft">Fetching what was done…</p>}
      {data && all.length === 0 && (
        <p className="soft">
          {id === null
            ? "Nothing was done yet. What the chat, routines and agents do is listed here."
            : "No tool was used in this conversation."}
        </p>
      )}
      {grouped(all).map((group) => (
        <Together key={group.key} group={group} alone={id !== null} />
      ))}
      {failed && <ProblemNote problem={failed} again={more} />}
      {cursor !== null && !failed && (
        <p className="more">
          <button type="button" onClick={more}>
            Older activity
          </button>
        </p>
      )}
    </div>
  );
}

function Together({ group: { session, run, entries }, alone }: { group: Group; alone: boolean }) {
  const name = useNameOf(session);
  return (
    <section className="together">
      {session !== "" && (
        <h2 className="kicker">
          {name === null ? (
            <span>A conversation that is private, or gone</span>
          ) : (
            <Go room={{ at: "chat", id: session }} dir="auto">
              {name === undefined ? "Open the conversation" : `“${name}”`}
            </Go>
          )}
          {!alone && <Go room={{ at: "activity", id: session }}>Only what was done in it</Go>}
        </h2>
      )}
      {run !== "" && (
        <h2 className="kicker">
          <Go room={{ at: "operation", id: run }}>Open the run</Go>
        </h2>
      )}
      <ol className="activity" aria-label="Activity">
        {entries.map((entry) =>
          entry.kind === "tool" ? (
            <DeedRow key={entry.id} deed={entry} />
          ) : (
            <Letter key={entry.id} letter={entry} />
          ),
        )}
      </ol>
    </section>
  );
}

/** The colour says how it ended. */
function tone({ decision, ok }: Deed): string {
  if (decision === "asked") return "critic";
  if (decision === "denied" || decision === "refused" || ok === false) return "bad";
  return ok === null ? "quiet" : "good";
}

function DeedRow({ deed }: { deed: Deed }) {
  const { tool, at, duration_ms, subject } = deed;
  const hidden = JSON.stringify(deed.arguments, null, 2);
  return (
    <li className="step" data-tone={tone(deed)}>
      <details>
        <summary>
          <span dir="auto">{deedWords(deed)}</span>
          {duration_ms > 0 && <span className="soft"> · {lasted(duration_ms)}</span>}
        </summary>
        <dl>
          <div>
            <dt>Tool</dt>
            <dd>
              <code>{tool}</code>
            </dd>
          </div>
          <div>
            <dt>What it touches</dt>
            <dd>{deed.class ? TOUCHES[deed.class] : "there is no such tool"}</dd>
          </div>
          <div>
            <dt>For</dt>
            <dd>{subject || "nobody"}</dd>
          </div>
        </dl>
        <pre tabIndex={0} aria-label="Arguments">
          {hidden === "{}" ? "no arguments" : hidden}
        </pre>
      </details>
      <span className="soft">
        <Age at={at} />
      </span>
    </li>
  );
}

function Letter({ letter }: { letter: DeadLetter }) {
  const { what, why, next } = givenUp(letter);
  const note = letter.attributes["note_id"];
  return (
    <li className="step" data-tone="bad">
      <div>
        <p>
          <strong>{what}</strong> {why}
        </p>
        <p>
          {next} {note !== undefined && <Go room={{ at: "note", id: note }}>Open the note</Go>}
        </p>
      </div>
      <span className="soft">
        <Age at={letter.at} />
      </span>
    </li>
  );
}
