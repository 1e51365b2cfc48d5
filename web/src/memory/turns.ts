/** When something may have come to be remembered: a turn of the chat is over. */
import { sessions } from "../chat/sessions";

const OVER = ["done", "failed", "cancelled", "interrupted"];

const ended = () =>
  new Set(
    sessions.get().sessions.flatMap(({ turn }) => (turn && OVER.includes(turn.status) ? [turn.id] : [])),
  );

/** Calls `act` each time that another turn has ended; the answer ends that. */
export function onTurnEnd(act: () => void): () => void {
  let before = ended();
  return sessions.subscribe(() => {
    const now = ended();
    const more = [...now].some((id) => !before.has(id));
    before = now;
    if (more) act();
  });
}
