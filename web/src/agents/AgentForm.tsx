import { useEffect, useId, useState } from "react";
import { putAgent, type Agent } from "../api/agents";
import { listTools } from "../api/settings";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { useDraft } from "../state/useDraft";
import { usePolled } from "../state/usePolled";

interface Props {
  agent: Agent;
  changed: (agents: Agent[]) => void;
}

/** One agent: what it does, what it is told, and of the one with tools, which. */
export function AgentForm({ agent, changed }: Props) {
  const { name, does, default_prompt, prompt } = agent;
  const told = prompt ?? default_prompt;
  const id = useId();
  const draft = useDraft(told);
  const [wanted, setWanted] = useState<{ prompt: string; text: string } | null>(null);
  const act = useAct(async () => {
    if (wanted === null) return;
    try {
      changed(await putAgent({ name, prompt: wanted.prompt }));
      draft.stored(wanted.text);
      announce(`${name}: saved.`);
    } finally {
      setWanted(null);
    }
  });
  const { run: save } = act;
  useEffect(() => {
    if (wanted !== null) save();
  }, [wanted, save]);
  return (
    <form
      className="setting"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        const { text, typed } = draft;
        if (typed) setWanted({ prompt: text.trim() === default_prompt ? "" : text, text });
      }}
    >
      <h3>{name}</h3>
      <p className="soft">{does}</p>
      <details open={prompt !== null || draft.typed || undefined}>
        <summary>
          {prompt === null ? "What it is told" : "What it is told, in your words"}
          <span className="unseen">: {name}</span>
        </summary>
        <label className="unseen" htmlFor={id}>
          What the {name} is told
        </label>
        <textarea
          id={id}
          rows={8}
          maxLength={8_000}
          value={draft.text}
          onChange={(event) => draft.write(event.target.value)}
        />
        <p className="deeds">
          {draft.typed && (
            <button type="submit" className="main" disabled={act.busy}>
              Save
            </button>
          )}
          {prompt !== null && (
            <button
              type="button"
              className="plain small"
              aria-label={`${name}: back to the default`}
              disabled={act.busy}
              onClick={() => setWanted({ prompt: "", text: draft.text })}
            >
              Back to the default
            </button>
          )}
        </p>
      </details>
      {act.problem && <ProblemNote problem={act.problem} still="It is told what it was told." />}
      {agent.has_tools && <Tools agent={agent} changed={changed} />}
    </form>
  );
}

/** Which tools it may use; each is saved by itself. */
function Tools({ agent, changed }: Props) {
  const { data, problem, reload } = usePolled("tools of agents", listTools, () => null);
  const [disabled, setDisabled] = useState<string[] | null>(null);
  const act = useAct(async () => {
    if (disabled === null) return;
    try {
      changed(await putAgent({ name: agent.name, disabled_tools: disabled }));
      announce("Tools: saved.");
    } finally {
      setDisabled(null);
    }
  });
  const { run: save } = act;
  useEffect(() => {
    if (disabled !== null) save();
  }, [disabled, save]);
  const off = disabled ?? agent.disabled_tools;
  return (
    <details>
      <summary>Which tools it may use</summary>
      {problem && <ProblemNote problem={problem} again={reload} />}
      <fieldset className="tool-choices">
        <legend className="unseen">Tools of the {agent.name}</legend>
        {(data ?? []).map((tool) => (
          <label key={tool.name} className="switch">
            <input
              type="checkbox"
              checked={!off.includes(tool.name)}
              disabled={act.busy}
              onChange={(event) =>
                setDisabled(
                  event.target.checked ? off.filter((one) => one !== tool.name) : [...off, tool.name],
                )
              }
            />
            <code>{tool.name}</code>
          </label>
        ))}
      </fieldset>
      {act.problem && (
        <ProblemNote problem={act.problem} still="Its tools are as they were." dismiss={act.dismiss} />
      )}
    </details>
  );
}
