import { useState } from "react";
import { newSession } from "../api/chat";
import { useWhenBack } from "../session/back";
import { useSignal } from "../state/signal";
import { useAct } from "../state/useAct";
import { useThere } from "../state/useThere";
import { Composer } from "./Composer";
import { conversation } from "./conversation";
import { draftOf, NEW, write } from "./draft";
import { FirstWords } from "./FirstWords";
import { SessionList } from "./SessionList";
import { sessions } from "./sessions";
import { Trouble } from "./Trouble";
import { show } from "./sidebar";

/** All conversations, and the box that begins another one. */
export function Start() {
  const { sessions: all, ready } = useSignal(sessions);
  const [incognito, setIncognito] = useState(false);
  const there = useThere();
  const begin = useAct(async () => {
    const text = draftOf(NEW).get();
    const session = await newSession(incognito);
    // From here on it is a conversation of its own: what was typed goes along until the server has it.
    write(session.id, text);
    write(NEW, "");
    sessions.put(session);
    if (there()) show(session.id, "replace");
    const talk = conversation(session.id);
    talk.put(session);
    void talk.say(text.trim(), () => write(session.id, ""));
  }, "begin a conversation");
  useWhenBack(begin.problem?.status === 0, useSignal(draftOf(NEW)), begin.run);
  return (
    <>
      <div className="log">
        {ready && all.length === 0 && <FirstWords draft={NEW} />}
        <SessionList />
      </div>
      <div className="foot">
        {begin.problem && <Trouble problem={begin.problem} />}
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            checked={incognito}
            disabled={begin.busy}
            onChange={(event) => setIncognito(event.target.checked)}
          />
          <span>
            Incognito<span className="soft"> · nothing is remembered or recalled</span>
          </span>
        </label>
        <Composer draft={NEW} busy={begin.busy} send={begin.run} />
      </div>
    </>
  );
}
