import { useCallback, useMemo } from "react";
import * as z from "zod";
import { kindName, over, subject, type Operation } from "../api/operation";
import { Result, SCHEMA } from "../api/result";
import { getOperation, retryOperation } from "../api/server";
import { feed } from "../feed/feed";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { WaysOn } from "../parts/WaysOn";
import { Go } from "../route/Go";
import { SourcePanel } from "../note/SourcePanel";
import { back, go, here, useHere } from "../route/here";
import { to } from "../route/address";
import { useAct } from "../state/useAct";
import { useThere } from "../state/useThere";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { fullTime, nextLook } from "../words/time";
import { useNow } from "../words/useNow";
import { Answering } from "./Answering";
import { CancelRun } from "./CancelRun";
import { EventLog } from "./EventLog";
import { citationsOf } from "./result";
import { ResultView } from "./ResultView";
import { useEvents } from "./useEvents";
import { budget, spent, standing, timing } from "./words";
import { work } from "./work";

/** One operation: what it does now, what it has cost, how to stop it, and everything that happened. */
export function OperationPage({ id }: { id: string }) {
  const { cite } = useHere();
  const { data, problem, reload, put } = usePolled(
    `operation ${id}`,
    () => getOperation(id),
    (operation) => (operation && over(operation.status) ? null : 4_000),
  );
  const { events, live } = useEvents(id, reload);
  useTitle(data ? subject(data) : "Operation");
  const missing = problem?.status === 404;
  const output = data?.output ?? null;
  const found = useMemo(
    () => (output?.["schema"] === SCHEMA ? (Result.safeParse(output).data ?? null) : null),
    [output],
  );
  const citations = useMemo(() => (found ? citationsOf(found) : []), [found]);
  const open = citations.find(({ number }) => number === cite);
  const close = useCallback(() => {
    const number = here.get().cite;
    back({ ...here.get(), cite: null });
    document.querySelector<HTMLElement>(`.result [data-cite="${number ?? 0}"]`)?.focus();
  }, []);

  return (
    <div className="beside" data-open={open ? true : undefined}>
      <div className="page">
        {data ? (
          <>
            <header>
              <p className="kicker">{kindName(data)}</p>
              <Heading>{subject(data)}</Heading>
            </header>
            <State operation={data} live={live} />
            <Answering operation={data} put={put} />
            <Deeds operation={data} reload={reload} />
            {found && <ResultView result={found} citations={citations} />}
            {output !== null && !found && data.kind === "agent_task" && <Unreadable output={output} />}
          </>
        ) : (
          <Heading>{problem ? (missing ? "No such work" : "Can’t be shown") : "Fetching…"}</Heading>
        )}
        {problem && <ProblemNote problem={problem} again={reload} />}
        {problem && !data && <WaysOn />}
        {events.length > 0 && (
          <section>
            <h2>What happened</h2>
            <EventLog events={events} />
          </section>
        )}
      </div>
      {open && <SourcePanel citation={open} close={close} />}
    </div>
  );
}

/** A result that is not in the shape that this page knows is not shown as if it were. */
function Unreadable({ output }: { output: Record<string, unknown> }) {
  return (
    <div className="problem">
      <p>
        <strong>The result is not in the shape that this page knows.</strong> It is stored and safe. Reload
        the page: the server may be newer than it.
      </p>
      <details>
        <summary>The result as data</summary>
        <pre tabIndex={0}>{JSON.stringify(output, null, 2)}</pre>
      </details>
    </div>
  );
}

function State({ operation, live }: { operation: Operation; live: boolean }) {
  const now = useNow("second");
  const { status, progress, started_at, created_at, error, partial } = operation;
  const { words, tone } = standing(operation);
  const ended = over(status);
  const wait = ended ? null : nextLook(progress.next_look_at, now);
  const limit = budget(operation);
  return (
    <div className="now" data-status={tone}>
      <p className="now-line">
        <span className="state" data-status={tone}>
          {words}
        </span>{" "}
        <span title={fullTime(started_at ?? created_at)}>{timing(operation, now)}</span>
        <span className="soft"> · {spent(operation)}</span>
      </p>
      {limit && (
        <p className="soft">
          {limit.words}{" "}
          {limit.share > 0 && (
            <>
              {Math.max(1, Math.round(100 * limit.share))} % of that {ended ? "was" : "is"} used.
            </>
          )}
        </p>
      )}
      {!ended && <progress max={100} value={progress.percent} aria-label="Progress" />}
      {!ended && (
        <p>
          {progress.message || "Nothing to report yet."}
          {wait && <span className="soft"> · {wait}</span>}
          {live && <span className="unseen"> Events arrive live.</span>}
        </p>
      )}
      {error && (
        <p>
          <strong>{error.message}</strong> {error.next}
        </p>
      )}
      {partial && (
        <p className="stale">
          <strong>This is not all that was asked for.</strong> {partial}
        </p>
      )}
    </div>
  );
}

const Proposals = z.object({ approval_ids: z.array(z.string()) });

/** The approvals that wait for what a routine would write. */
function proposals(output: Operation["output"]): string[] {
  return Proposals.safeParse(output).data?.approval_ids ?? [];
}

function Deeds({ operation, reload }: { operation: Operation; reload: () => void }) {
  const { id, kind, status, result_note_id, source_note_id } = operation;
  const proposed = kind === "routine" && result_note_id === null ? proposals(operation.output) : [];
  const again = kind === "deep_research" || kind === "agent_task";
  const there = useThere();
  const anew = useAct(async () => {
    const next = await retryOperation(id);
    work.look();
    feed.look();
    if (next.id === id) reload();
    else if (there()) go(to({ at: "operation", id: next.id }, here.get()));
  }, `anew ${id}`);
  return (
    <>
      <div className="deeds">
        {result_note_id && (
          <Go className="button main" room={{ at: "note", id: result_note_id }}>
            {kind === "deep_research" ? "Read the report" : "Open the note"}
          </Go>
        )}
        {proposed.map((approval) => (
          <Go key={approval} className="button main" room={{ at: "approvals", id: approval }}>
            What it proposes
          </Go>
        ))}
        {kind === "routine" && (
          <Go className="button" room={{ at: "routines" }}>
            Routines
          </Go>
        )}
        {(status === "failed" || status === "cancelled") && again && (
          <button type="button" className="main" disabled={anew.busy} onClick={anew.run}>
            Start anew
          </button>
        )}
        {!over(status) && <CancelRun id={id} changed={reload} />}
        {source_note_id && (
          <Go className="button plain" room={{ at: "note", id: source_note_id }}>
            The note it began with
          </Go>
        )}
      </div>
      {anew.problem && <ProblemNote problem={anew.problem} dismiss={anew.dismiss} />}
    </>
  );
}
