import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useWhenBack } from "../session/back";
import { poll } from "../state/poll";
import { useSignal } from "../state/signal";
import { Composer } from "./Composer";
import { conversation } from "./conversation";
import { add, draftOf, write } from "./draft";
import { FirstWords } from "./FirstWords";
import { running, unheard } from "./talk";
import { TalkHead } from "./TalkHead";
import { Trouble } from "./Trouble";
import { turnsOf } from "./turns";
import { TurnView } from "./TurnView";
import { beforehand, wordOf } from "./word";
import { doing } from "./words";

const WAITING = 10_000;
const NEAR = 80;

/** One conversation: its turns, oldest first, and the box for the next message. */
export function TalkView({ id }: { id: string }) {
  const talk = useMemo(() => conversation(id), [id]);
  const state = useSignal(talk.state);
  const { session, events, earlier, link, problem, streaming } = state;
  const turns = useMemo(() => turnsOf(events, session), [events, session]);
  const status = session?.turn?.status;
  const log = useRef<HTMLDivElement>(null);

  // Whoever waits for a person's word may get it in another window; a tab that comes back looks again, too.
  useEffect(() => {
    const waits = () => (talk.state.get().session?.turn?.status === "waiting" ? WAITING : null);
    const looking = poll(() => talk.load(), waits);
    return () => looking.stop();
  }, [talk, status]);

  // New words stay in sight, unless one has scrolled up to read; what came before doesn't move what is read.
  const atEnd = useRef(true);
  const before = useRef({ first: 0, height: 0 });
  const first = events[0]?.seq ?? 0;
  useLayoutEffect(() => {
    const pane = log.current;
    if (!pane) return;
    if (before.current.first > first) pane.scrollTop += pane.scrollHeight - before.current.height;
    else if (atEnd.current) pane.scrollTop = pane.scrollHeight;
    before.current = { first, height: pane.scrollHeight };
  }, [first, turns, streaming, link, problem]);
  // The text's renderer may come later than the text.
  useEffect(() => {
    const pane = log.current?.firstElementChild;
    if (!pane) return;
    const grown = new ResizeObserver(() => {
      if (atEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight;
    });
    grown.observe(pane);
    return () => grown.disconnect();
  }, []);

  const asks = turns.at(-1)?.approval?.reason ?? null;
  const say = useCallback(
    (text: string, draft: boolean) => {
      atEnd.current = true;
      const taken = () => {
        if (draft) write(id, "");
      };
      const word = asks === null ? null : wordOf(text, asks);
      void (word === null ? talk.say(text, taken) : talk.decide(word, taken));
    },
    [talk, id, asks],
  );

  // What a lost connection held back is sent once it is there again.
  const draft = useSignal(draftOf(id));
  useWhenBack(problem?.at === "send" && problem.told.status === 0, draft, () => {
    announce("Memex is back. Your message is sent.");
    say(draft.trim(), true);
  });

  const pending = unheard(state);
  const sending = link === "sending" && status !== "running";
  return (
    <>
      <div
        className="log"
        ref={log}
        tabIndex={-1}
        onScroll={({ currentTarget: pane }) => {
          atEnd.current = pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR;
        }}
      >
        <div className="talk">
          {session && <TalkHead session={session} renamed={(now) => talk.put(now)} />}
          {!session && !problem && <p className="soft">Fetching the conversation…</p>}
          {session && events.length === 0 && link === "idle" && <FirstWords draft={id} />}
          {earlier !== null && (
            <p className="more">
              <button type="button" className="small" onClick={() => void talk.earlier()}>
                Earlier messages
              </button>
            </p>
          )}
          <ol className="turns" aria-label="Messages" aria-busy={running(state)}>
            {turns.map((turn, at) => (
              <TurnView
                key={turn.id}
                session={id}
                turn={turn}
                live={at === turns.length - 1 && pending === null ? state : null}
                again={(text) => say(text, false)}
                edit={(text) => add(id, text)}
                decide={(decision) => void talk.decide(decision)}
              />
            ))}
            {pending !== null && (
              <li className="turn">
                <div className="said">
                  <p dir="auto">
                    <span className="unseen">You: </span>
                    {pending}
                  </p>
                </div>
                <p className="doing">{doing(state, undefined)}</p>
              </li>
            )}
          </ol>
          {turns.length === 0 && link === "sending" && <p className="doing">{doing(state, undefined)}</p>}
        </div>
      </div>
      <div className="foot">
        {problem?.at === "send" && <Trouble problem={problem.told} dismiss={talk.dismiss} />}
        {problem && problem.at !== "send" && (
          <ProblemNote
            problem={problem.told}
            {...(problem.at === "load" ? { again: () => void talk.load() } : { dismiss: talk.dismiss })}
          />
        )}
        <Composer
          draft={id}
          busy={sending}
          stop={running(state) ? () => void talk.stop() : null}
          hint={asks === null ? "" : beforehand(draft, asks)}
          send={(text) => say(text, true)}
        />
      </div>
    </>
  );
}
