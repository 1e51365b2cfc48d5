import { cancelOperation } from "../api/server";
import { feed } from "../feed/feed";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { work } from "./work";

interface Props {
  id: string;
  /** What is cancelled, for those who hear the button without its surroundings. */
  what?: string;
  small?: boolean;
  /** Looks again at what showed the run. */
  changed: () => void;
}

/** Stops a run, wherever it is shown. */
export function CancelRun({ id, what, small = false, changed }: Props) {
  const { busy, problem, run } = useAct(async () => {
    await cancelOperation(id);
    announce("Cancelled.");
    changed();
    work.look();
    feed.look();
  }, `cancel ${id}`);
  return (
    <>
      <button
        type="button"
        className={small ? "small" : undefined}
        disabled={busy}
        aria-label={what === undefined ? undefined : `${busy ? "Cancelling" : "Cancel"}: ${what}`}
        onClick={run}
      >
        {busy ? "Cancelling" : "Cancel"}
      </button>
      {problem && <ProblemNote problem={problem} saved="It may still be running." again={run} />}
    </>
  );
}
