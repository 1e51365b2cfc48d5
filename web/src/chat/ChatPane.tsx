import { useSignal } from "../state/signal";
import { Heading } from "../parts/Heading";
import { useTitle } from "../state/useTitle";
import { sessions } from "./sessions";
import { SessionLink } from "./SessionLink";
import { leave, show } from "./sidebar";
import { Start } from "./Start";
import { TalkView } from "./TalkView";

/** The chat: one conversation, or all of them. As a page it has the page's heading; beside a page it can be closed. */
export function ChatPane({ id, page }: { id: string | null; page: boolean }) {
  return (
    <div className="chat-pane">
      <header className="chat-head">
        {id !== null && (
          <SessionLink id={null} className="button plain">
            <span aria-hidden="true">‹</span>
            <span>
              All<span className="unseen"> conversations</span>
            </span>
          </SessionLink>
        )}
        <Title id={id} page={page} />
        {id !== null && (
          <button type="button" className="plain" onClick={begin}>
            New
          </button>
        )}
        {!page && (
          <button type="button" className="plain" aria-label="Close the chat" title="s" onClick={leave}>
            ×
          </button>
        )}
      </header>
      {id === null ? <Start /> : <TalkView key={id} id={id} />}
    </div>
  );
}

/** The box for a conversation's first words, which stands where they all are. */
function begin(): void {
  show(null);
  setTimeout(() => document.querySelector<HTMLElement>("[data-message]")?.focus());
}

function Title({ id, page }: { id: string | null; page: boolean }) {
  const known = useSignal(sessions).sessions.find((one) => one.id === id);
  const words = id === null ? "Chat" : (known?.title ?? "Conversation");
  return page ? (
    <PageTitle words={words} />
  ) : (
    <h2 dir="auto" title={words}>
      {words}
    </h2>
  );
}

function PageTitle({ words }: { words: string }) {
  useTitle(words);
  return <Heading>{words}</Heading>;
}
