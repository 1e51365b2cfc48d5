import { useEffect, useRef, useState } from "react";
import type { ChatSession } from "../api/chat";
import { ProblemNote } from "../parts/ProblemNote";
import { Go } from "../route/Go";
import { useAct } from "../state/useAct";
import { useThere } from "../state/useThere";
import { forget } from "./conversation";
import { write } from "./draft";
import { sessions } from "./sessions";
import { show } from "./sidebar";

/** What can be done with a conversation as a whole: another name, or away with it. */
export function TalkHead({
  session,
  renamed,
}: {
  session: ChatSession;
  renamed: (now: ChatSession) => void;
}) {
  const [mode, setMode] = useState<"idle" | "rename" | "delete">("idle");
  const idle = () => setMode("idle");
  return (
    <>
      {session.incognito && (
        <p className="soft">Incognito: nothing of this conversation is remembered, and no memory is used.</p>
      )}
      {mode === "idle" && (
        <p className="deeds">
          <button type="button" className="plain small" onClick={() => setMode("rename")}>
            Rename
          </button>
          <button type="button" className="plain small" onClick={() => setMode("delete")}>
            Delete
          </button>
          <Go className="button plain small" room={{ at: "activity", id: session.id }}>
            What was done here
          </Go>
        </p>
      )}
      {mode === "rename" && <Rename session={session} done={idle} renamed={renamed} />}
      {mode === "delete" && <Remove session={session} keep={idle} />}
    </>
  );
}

interface RenameProps {
  session: ChatSession;
  done: () => void;
  renamed: (now: ChatSession) => void;
}

function Rename({ session, done, renamed }: RenameProps) {
  const [title, setTitle] = useState(session.title ?? "");
  const field = useRef<HTMLInputElement>(null);
  const act = useAct(async () => {
    renamed(await sessions.rename(session.id, title.trim()));
    done();
  });
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() !== "") act.run();
      }}
    >
      <input
        ref={field}
        aria-label="Title"
        dir="auto"
        maxLength={200}
        value={title}
        readOnly={act.busy}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          done();
        }}
      />
      <button type="submit" className="main" disabled={title.trim() === "" || act.busy}>
        Save
      </button>
      <button type="button" className="plain" onClick={done}>
        Cancel
      </button>
      {act.problem && <ProblemNote problem={act.problem} still="The old title stands." again={act.run} />}
    </form>
  );
}

function Remove({ session, keep }: { session: ChatSession; keep: () => void }) {
  const safe = useRef<HTMLButtonElement>(null);
  const there = useThere();
  useEffect(() => safe.current?.focus(), []);
  const act = useAct(async () => {
    await sessions.remove(session.id);
    write(session.id, "");
    if (there()) show(null, "replace");
    forget(session.id);
  });
  return (
    <div className="remove" role="group" aria-label="Delete this conversation">
      <p>Delete this conversation for good? The notes and tasks that it made stay.</p>
      <p className="deeds">
        <button type="button" ref={safe} onClick={keep}>
          Keep it
        </button>
        <button type="button" disabled={act.busy} onClick={act.run}>
          Delete for good
        </button>
      </p>
      {act.problem && <ProblemNote problem={act.problem} still="It is still here." />}
    </div>
  );
}
