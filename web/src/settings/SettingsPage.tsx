import { useEffect } from "react";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";
import { useSignal } from "../state/signal";
import { useTitle } from "../state/useTitle";
import { Go } from "../route/Go";
import { Field } from "./Field";
import { Servers } from "./Servers";
import { GROUPS } from "./rows";
import { settings } from "./settings";
import { ToolList } from "./ToolList";

/** How the chat behaves for this Memex; each setting is saved by itself. */
export function SettingsPage() {
  useTitle("Settings");
  const { answer, problem } = useSignal(settings);
  useEffect(() => void settings.look(), []);
  return (
    <div className="page settings">
      <header>
        <Heading>Settings</Heading>
        <p className="soft">
          For all your devices. Each is saved by itself: a text when you leave its field. How agents work
          together is set in <Go room={{ at: "agents" }}>Agents</Go>, what is remembered in{" "}
          <Go room={{ at: "memory" }}>Memory</Go>.
        </p>
      </header>
      {problem && (
        <ProblemNote
          problem={problem}
          saved={answer ? "What you see is from before." : "Nothing was changed."}
          again={() => void settings.look()}
        />
      )}
      {!answer && !problem && <p className="soft">Fetching the settings…</p>}
      {answer &&
        GROUPS.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            {rows.map((row) => (
              <Field key={row.name} row={row} answer={answer} />
            ))}
            {title === "Network" && <Servers open={answer.settings.egress_enabled} />}
            {title === "Tools" && <ToolList asks={answer.settings.approve_tools} />}
          </section>
        ))}
    </div>
  );
}
