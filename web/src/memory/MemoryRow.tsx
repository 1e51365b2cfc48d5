import { useEffect, useId, useRef, useState } from "react";
import { correctMemory, revisionsOf, rollBack, type Memory } from "../api/memory";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { Age } from "../words/Age";
import { forget, going, keep } from "./forgetting";
import { origin, used, VERDICTS } from "./words";
import { why } from "./cases";

interface Props {
  memory: Memory;
  /** It is seen already, and still being proved. */
  proving?: boolean;
  changed: (next: Memory | null) => void;
}

/** One memory: what it says, where it comes from, whether it may be used and why. */
export function MemoryRow({ memory, proving = false, changed }: Props) {
  const { id, fact, created_at, updated_at, expires_at, origin: from, judgement } = memory;
  const [editing, setEditing] = useState(false);
  const leaving = useSignal(going).find((one) => one.id === id);
  const use = used(judgement);
  if (leaving && leaving.state !== "failed") {
    return (
      <li className="memory">
        <p className="soft" dir="auto">
          <del>{fact}</del>
        </p>
        <p className="deeds">
          <span className="state">
            {leaving.state === "waits"
              ? "It is being forgotten."
              : leaving.state === "leaves"
                ? "Forgetting…"
                : leaving.receipt
                  ? `Forgotten: ${VERDICTS[leaving.receipt.verdict]}. ${leaving.receipt.safe_action}`
                  : "Forgotten."}
          </span>
          {leaving.state === "waits" && (
            <button
              type="button"
              className="small"
              aria-label={`Undo, keep: ${fact}`}
              onClick={() => keep(id)}
            >
              Undo
            </button>
          )}
        </p>
      </li>
    );
  }
  return (
    <li className="memory" aria-label={fact}>
      {editing ? (
        <Edit memory={memory} changed={changed} done={() => setEditing(false)} />
      ) : (
        <p dir="auto">{fact}</p>
      )}
      <p className="soft">
        {proving && from === null ? (
          "From what you said"
        ) : from?.kind === "chat" && from.session_id !== null ? (
          <Go room={{ at: "chat", id: from.session_id }}>{origin(memory)}</Go>
        ) : (
          origin(memory)
        )}
        , since <Age at={created_at} />
        {updated_at !== created_at && (
          <>
            , changed <Age at={updated_at} />
          </>
        )}
        {expires_at && (
          <>
            , until <Age at={expires_at} />
          </>
        )}
      </p>
      {proving ? (
        <p className="soft">
          <span className="state" data-status="running">
            It is being proved.
          </span>{" "}
          It is used once that is done.
        </p>
      ) : (
        <p className="soft">
          <span className="state" data-status={use.good ? "completed" : "waiting_for_input"}>
            {use.words}.
          </span>{" "}
          {why(judgement.case)} {judgement.safe_action}
        </p>
      )}
      {!editing && (
        <p className="deeds">
          <button
            type="button"
            className="small"
            aria-label={`Edit: ${fact}`}
            onClick={() => setEditing(true)}
          >
            Edit
          </button>
          <button type="button" className="small" aria-label={`Forget: ${fact}`} onClick={() => forget(id)}>
            Forget
          </button>
        </p>
      )}
      {leaving?.problem && (
        <ProblemNote problem={leaving.problem} saved="It is still remembered." again={() => forget(id)} />
      )}
      <Revisions memory={memory} changed={changed} />
    </li>
  );
}

function Edit({ memory, changed, done }: Props & { done: () => void }) {
  const [text, setText] = useState(memory.fact);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const act = useAct(async () => {
    const answer = await correctMemory(memory.id, text.trim());
    announce(`Corrected: ${VERDICTS[answer.receipt.verdict]}.`);
    changed(answer.memory);
    done();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") act.run();
      }}
    >
      <label className="unseen" htmlFor={id}>
        What it shall say
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={2}
        maxLength={2_000}
        readOnly={act.busy}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="deeds">
        <button type="button" onClick={done}>
          Leave it
        </button>
        <button
          type="submit"
          className="main"
          disabled={act.busy || text.trim() === "" || text.trim() === memory.fact}
        >
          {act.busy ? "Saving" : "Save"}
        </button>
      </p>
      {act.problem && <ProblemNote problem={act.problem} still="It says what it said." />}
    </form>
  );
}

/** What it said before; each can be brought back. */
function Revisions({ memory, changed }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details className="trace" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Earlier versions<span className="unseen"> of: {memory.fact}</span>
      </summary>
      {open && <Earlier memory={memory} changed={changed} />}
    </details>
  );
}

function Earlier({ memory, changed }: Props) {
  const { data, problem, reload } = usePolled(
    `revisions ${memory.id} ${memory.updated_at}`,
    () => revisionsOf(memory.id),
    () => null,
  );
  const wanted = useRef("");
  const act = useAct(async () => {
    const answer = await rollBack(memory.id, wanted.current);
    announce(`Brought back: ${VERDICTS[answer.receipt.verdict]}.`);
    changed(answer.memory);
    reload();
  });
  if (problem) return <ProblemNote problem={problem} again={reload} />;
  if (!data) return <p className="soft">Fetching the versions…</p>;
  const before = data.filter(({ fact }) => fact !== memory.fact);
  return (
    <>
      {before.length === 0 && <p className="soft">It never said anything else.</p>}
      <ul className="runs">
        {before.map((revision) => (
          <li key={revision.id}>
            <p dir="auto">{revision.fact}</p>
            <p className="deeds">
              <span className="soft">
                <Age at={revision.created_at} />
              </span>
              <button
                type="button"
                className="small"
                disabled={act.busy}
                aria-label={`Bring back: ${revision.fact}`}
                onClick={() => {
                  wanted.current = revision.id;
                  act.run();
                }}
              >
                Bring back
              </button>
            </p>
          </li>
        ))}
      </ul>
      {act.problem && (
        <ProblemNote problem={act.problem} still="It says what it said." dismiss={act.dismiss} />
      )}
    </>
  );
}
