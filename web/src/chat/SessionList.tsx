import { useEffect } from "react";
import type { ChatSession } from "../api/chat";
import { ProblemNote } from "../parts/ProblemNote";
import { useSignal } from "../state/signal";
import { Age } from "../words/Age";
import { sessions } from "./sessions";
import { SessionLink } from "./SessionLink";

/** The conversations, newest first. */
export function SessionList() {
  const { sessions: all, ready, problem, cursor } = useSignal(sessions);
  useEffect(() => sessions.start(), []);
  return (
    <>
      {problem && problem.status !== 401 && (
        <ProblemNote
          problem={problem}
          saved={ready ? "What you see is from before." : "Your conversations are safe."}
          again={() => sessions.look()}
        />
      )}
      {!ready && !problem && <p className="soft">Fetching your conversations…</p>}
      {all.length > 0 && <h2 className="kicker">Conversations</h2>}
      <ul className="sessions" aria-label="Conversations">
        {all.map((session) => (
          <li key={session.id}>
            <SessionLink id={session.id}>{session.title ?? "Untitled"}</SessionLink>
            <p className="soft">
              <Age at={session.updated_at} />
              <Mark session={session} />
            </p>
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <p className="more">
          <button type="button" onClick={() => void sessions.more()}>
            Older conversations
          </button>
        </p>
      )}
    </>
  );
}

function Mark({ session }: { session: ChatSession }) {
  switch (session.turn?.status) {
    case "running":
      return <span className="state busy">answering</span>;
    case "waiting":
      return (
        <span className="state" data-status="waiting_for_input">
          waits for your word
        </span>
      );
    case "failed":
    case "interrupted":
      return <span className="state bad">no answer</span>;
    case "done":
    case "cancelled":
    case undefined:
      return null;
  }
}
