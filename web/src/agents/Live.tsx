import { useMemo } from "react";
import { conversation } from "../chat/conversation";
import { turnsOf } from "../chat/turns";
import { Go } from "../route/Go";
import { useSignal } from "../state/signal";
import { graphOfTurn, statesOf, type Chosen } from "./graph";
import { GraphView } from "./GraphView";

/** The graph with the last turn of a conversation on its way through it; of the chosen mode while nothing runs. */
export function Live({ id, chosen }: { id: string; chosen: Chosen }) {
  const talk = useMemo(() => conversation(id), [id]);
  const { events, session } = useSignal(talk.state);
  const turn = useMemo(() => turnsOf(events, session).at(-1), [events, session]);
  if (turn?.status !== "running" && turn?.status !== "waiting") return null;
  const graph = graphOfTurn(turn, chosen);
  return (
    <section aria-label="A run just now">
      <h2>
        {turn.status === "running" ? "At work just now" : "Waiting for your word"}{" "}
        <Go className="small-link" room={{ at: "chat", id }}>
          the conversation
        </Go>
      </h2>
      <GraphView graph={graph} states={statesOf(turn, graph)} />
    </section>
  );
}
