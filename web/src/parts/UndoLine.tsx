import { useSignal } from "../state/signal";
import { runUndo, undo } from "./undo";

export function UndoLine() {
  const offer = useSignal(undo);
  if (!offer) return null;
  return (
    <div className="undo">
      <p>{offer.problem ? `${offer.problem.message} ${offer.problem.next}` : offer.what}</p>
      <button type="button" onClick={() => void runUndo()}>
        {offer.problem ? "Try again" : "Undo"}
      </button>
      <button type="button" className="plain" aria-label="Dismiss" onClick={() => undo.set(null)}>
        ×
      </button>
    </div>
  );
}
