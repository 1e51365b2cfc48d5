import { over, subject, type Operation } from "../api/operation";
import { getOperation, retryOperation } from "../api/server";
import { feed } from "../feed/feed";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { WaysOn } from "../parts/WaysOn";
import { Go } from "../route/Go";
import { go, here } from "../route/here";
import { to } from "../route/address";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { fullTime, nextLook } from "../words/time";
import { useNow } from "../words/useNow";
import { CancelRun } from "./CancelRun";
import { EventLog } from "./EventLog";
import { useEvents } from "./useEvents";
import { spent, STATUS_WORDS, timing } from "./words";
import { work } from "./work";

/** One operation: what it does now, what it has cost, how to stop it, and everything that happened. */
export function OperationPage({ id }: { id: string }) {
  const { data, problem, reload } = usePolled(
    `operation ${id}`,
    () => getOperation(id),
    (operation) => (operation && over(operation.status) ? null : 4_000),
  );
  const { events, live } = useEvents(id, reload);
  useTitle(data ? subject(data) : "Operation");
  const missing = problem?.status === 404;

  return (
    <div className="page">
      {data ? (
        <>
          <header>
            <p className="kicker">
              {data.kind === "deep_research" ? "Research" : data.kind.replaceAll("_", " ")}
            </p>
            <Heading>{subject(data)}</Heading>
          </header>
          <State operation={data} live={live} />
          <Deeds operation={data} reload={reload} />
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
  );
}

function State({ operation, live }: { operation: Operation; live: boolean }) {
  const now = useNow("second");
  const { status, progress, started_at, created_at, error, partial } = operation;
  const ended = over(status);
  const wait = ended ? null : nextLook(progress.next_look_at, now);
  return (
    <div className="now" data-status={status}>
      <p className="now-line">
        <span className="state" data-status={status}>
          {STATUS_WORDS[status]}
        </span>{" "}
        <span title={fullTime(started_at ?? created_at)}>{timing(operation, now)}</span>
        <span className="soft"> · {spent(operation)}</span>
      </p>
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
      {partial && <p>Incomplete: {partial}</p>}
    </div>
  );
}

function Deeds({ operation, reload }: { operation: Operation; reload: () => void }) {
  const { id, status, result_note_id, source_note_id } = operation;
  const anew = useAct(async (key) => {
    const next = await retryOperation(id, key);
    work.look();
    feed.look();
    if (next.id === id) reload();
    else go(to({ at: "operation", id: next.id }, here.get()));
  });
  return (
    <>
      <div className="deeds">
        {result_note_id && (
          <Go className="button main" room={{ at: "note", id: result_note_id }}>
            Read the report
          </Go>
        )}
        {(status === "failed" || status === "cancelled") && (
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
