import { useSignal } from "../state/signal";
import { spoken } from "./announce";

export function Announcer() {
  return (
    <div className="unseen" role="status" aria-live="polite">
      {useSignal(spoken)}
    </div>
  );
}
