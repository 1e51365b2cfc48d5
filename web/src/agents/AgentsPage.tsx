import { useEffect } from "react";
import { getAgents } from "../api/agents";
import { sidebar } from "../chat/sidebar";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { Field } from "../settings/Field";
import { AGENT_ROWS } from "../settings/rows";
import { settings } from "../settings/settings";
import { useSignal } from "../state/signal";
import { usePolled } from "../state/usePolled";
import { useTitle } from "../state/useTitle";
import { AgentForm } from "./AgentForm";
import { graphOf } from "./graph";
import { GraphView } from "./GraphView";
import { Live } from "./Live";

/** Who answers in the chat: one agent or several, how they work together, and what each is told. */
export function AgentsPage() {
  useTitle("Agents");
  const { answer, problem } = useSignal(settings);
  useEffect(() => void settings.look(), []);
  const { session } = useSignal(sidebar);
  const roster = usePolled("agents", getAgents, () => null);
  const chosen = answer?.settings;
  return (
    <div className="page settings">
      <header>
        <Heading>Agents</Heading>
        <p className="soft">
          Who answers in the chat. Several agents check each other’s work, which takes longer and costs more
          with each answer.
        </p>
      </header>
      {problem && (
        <ProblemNote
          problem={problem}
          saved={answer ? "What you see is from before." : "Nothing was changed."}
          again={() => void settings.look()}
        />
      )}
      {!answer && !problem && <p className="soft">Fetching the agents…</p>}
      {answer && (
        <section aria-label="How they work">
          {AGENT_ROWS.map((row) => (
            <Field key={row.name} row={row} answer={answer} />
          ))}
        </section>
      )}
      {chosen && session !== null && <Live id={session} chosen={chosen} />}
      {chosen && (
        <section>
          <h2>How they work together</h2>
          <GraphView graph={graphOf(chosen)} states={null} />
        </section>
      )}
      <section>
        <h2>What each is told</h2>
        {chosen?.agent_mode === "single" && (
          <p className="soft">
            It counts with several agents; one agent alone has all tools, and its own words.
          </p>
        )}
        {roster.problem && <ProblemNote problem={roster.problem} again={roster.reload} />}
        {roster.data?.map((agent) => (
          <AgentForm key={agent.name} agent={agent} changed={(agents) => roster.put(() => agents)} />
        ))}
      </section>
    </div>
  );
}
