import { useEffect, useRef, useState } from "react";
import { forgetAll, listMemories, type Memory } from "../api/memory";
import { Problem } from "../api/problem";
import { listUpkeep } from "../api/server";
import { announce } from "../parts/announce";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { MEMORY_ROW } from "../settings/rows";
import { settings } from "../settings/settings";
import { Field } from "../settings/Field";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { plural } from "../words/money";
import { Canary } from "./Canary";
import { MemoryRow } from "./MemoryRow";
import { Receipts } from "./Receipts";
import { onTurnEnd } from "./turns";
import { proving, VERDICTS } from "./words";

/** Somebody may be talking in another window. */
const PACE = 15_000;
/** While something is being made or proved. */
const EAGER = 2_000;

/** The memories, and what runs. That first: what it makes is then seen with its end, or still under way. */
async function load() {
  const running = (await listUpkeep(true)).operations;
  return { ...(await listMemories(null)), running };
}

/** What is remembered of whoever asks, and the way to see, correct and forget it. */
export function MemoryPage() {
  useTitle("Memory");
  const { answer, problem: unset } = useSignal(settings);
  useEffect(() => void settings.look(), []);
  const { data, problem, reload, put } = usePolled("memories", load, (seen) =>
    seen && seen.running.length > 0 ? EAGER : PACE,
  );
  useEffect(() => onTurnEnd(reload), [reload]);
  const [older, setOlder] = useState<{ memories: Memory[]; cursor: string | null } | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const seen = new Set(data?.memories.map(({ id }) => id));
  const all = [...(data?.memories ?? []), ...(older?.memories.filter(({ id }) => !seen.has(id)) ?? [])];
  const cursor = older ? older.cursor : (data?.next_cursor ?? null);
  const more = () => {
    setFailed(null);
    listMemories(cursor).then(
      (next) =>
        setOlder({ memories: [...(older?.memories ?? []), ...next.memories], cursor: next.next_cursor }),
      (error: unknown) => setFailed(Problem.from(error)),
    );
  };
  const changed = (before: Memory, next: Memory | null) => {
    if (next)
      put((now) => ({ ...now, memories: now.memories.map((one) => (one.id === before.id ? next : one)) }));
    else reload();
  };
  return (
    <div className="page settings">
      <header>
        <Heading>Memory</Heading>
        <p className="soft">
          What is kept of you across conversations. A memory is used only after it was proved to be yours,
          current and there; a conversation can be begun without any.
        </p>
      </header>
      {answer ? (
        <Field row={MEMORY_ROW} answer={answer} />
      ) : (
        unset && <ProblemNote problem={unset} again={() => void settings.look()} />
      )}
      {problem && (
        <ProblemNote
          problem={problem}
          saved={data ? "What you see is from before." : "Answers come without memories meanwhile."}
          again={reload}
        />
      )}
      {!data && !problem && <p className="soft">Fetching what is remembered…</p>}
      {data && all.length === 0 && (
        <p className="soft">
          {answer?.settings.memory_enabled
            ? "Nothing is remembered yet. Say something of yourself in the chat."
            : "Nothing is remembered."}
        </p>
      )}
      {all.length > 0 && (
        <section aria-label="Memories">
          <h2>
            {plural(all.length, "memory", "memories")}
            {cursor === null ? "" : " and more"}
          </h2>
          <ul className="memories">
            {all.map((memory) => (
              <MemoryRow
                key={memory.id}
                memory={memory}
                proving={data !== null && proving(memory, data.running)}
                changed={(next) => changed(memory, next)}
              />
            ))}
          </ul>
          {failed && <ProblemNote problem={failed} again={more} />}
          {cursor !== null && !failed && (
            <p className="more">
              <button type="button" onClick={more}>
                More memories
              </button>
            </p>
          )}
          <ForgetAll
            done={() => {
              setOlder(null);
              put(() => ({ memories: [], next_cursor: null, running: [] }));
            }}
          />
        </section>
      )}
      <Canary />
      <Receipts />
    </div>
  );
}

function ForgetAll({ done }: { done: () => void }) {
  const [asking, setAsking] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (asking) safe.current?.focus();
  }, [asking]);
  const act = useAct(async () => {
    const { forgotten, receipt } = await forgetAll();
    announce(`${plural(forgotten, "memory", "memories")} forgotten: ${VERDICTS[receipt.verdict]}.`);
    done();
  });
  if (!asking) {
    return (
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          Forget everything
        </button>
      </p>
    );
  }
  return (
    <div className="remove" role="group" aria-label="Forget everything">
      <p>
        Forget everything that is remembered of you? This can’t be undone. Your notes and conversations stay.
      </p>
      <p className="deeds">
        <button type="button" ref={safe} onClick={() => setAsking(false)}>
          Keep everything
        </button>
        <button type="button" disabled={act.busy} onClick={act.run}>
          {act.busy ? "Forgetting…" : "Forget everything for good"}
        </button>
      </p>
      {act.problem && <ProblemNote problem={act.problem} saved="Some of it may still be remembered." />}
    </div>
  );
}
