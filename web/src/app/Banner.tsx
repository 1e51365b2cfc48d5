import { draft } from "../capture/draft";
import { feed } from "../feed/feed";
import { KeyForm } from "../session/KeyForm";
import { reached } from "../session/reach";
import { session } from "../session/session";
import { useSignal } from "../state/signal";

/** Signed out or offline: says so, and what became of the text that was typed. */
export function Banner() {
  const { refused } = useSignal(session);
  const online = useSignal(reached);
  const typed = useSignal(draft).text.trim() !== "";
  const kept = typed ? "What you typed is kept on this device." : "";
  if (refused) {
    return (
      <div className="banner" role="alert">
        <p>
          <strong>Signed out: the key of this device is no longer accepted.</strong> {kept} Paste a new one to
          go on.
        </p>
        <KeyForm />
      </div>
    );
  }
  if (!online) {
    return (
      <div className="banner" role="alert">
        <p>
          <strong>Memex can’t be reached.</strong> {kept} It is tried again by itself.
        </p>
        <button type="button" onClick={() => feed.look()}>
          Try now
        </button>
      </div>
    );
  }
  return null;
}
