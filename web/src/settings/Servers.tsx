import { useEffect, useId, useRef, useState } from "react";
import {
  addServer,
  approveTools,
  listServers,
  refreshServer,
  removeServer,
  type McpServer,
  type McpTool,
} from "../api/mcp";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { usePolled } from "../state/usePolled";
import { Age } from "../words/Age";
import { plural } from "../words/money";
import { headersIn } from "./headers";

/** MCP servers: other people's tools. None of them may be used before one has looked at it and said yes. */
export function Servers({ open }: { open: boolean }) {
  const { data, problem, reload, put } = usePolled("mcp servers", listServers, () => null);
  const all = data ?? [];
  return (
    <div className="setting servers">
      <h3>MCP servers</h3>
      <p className="soft">
        Tools that others offer. Each has to be approved by you before the chat can use it, and asks each
        time.
        {!open && " As long as nothing is read from the web, they can’t be reached."}
      </p>
      {problem && <ProblemNote problem={problem} again={reload} />}
      <ul aria-label="MCP servers">
        {all.map((server) => (
          <ServerRow
            key={server.id}
            server={server}
            changed={(next) => put((now) => now.map((one) => (one.id === next.id ? next : one)))}
            removed={() => put((now) => now.filter((one) => one.id !== server.id))}
            reload={reload}
          />
        ))}
      </ul>
      <AddServer added={(server) => put((now) => [...now.filter(({ id }) => id !== server.id), server])} />
    </div>
  );
}

interface RowProps {
  server: McpServer;
  changed: (server: McpServer) => void;
  removed: () => void;
  reload: () => void;
}

function ServerRow({ server, changed, removed, reload }: RowProps) {
  const { id, name, url, headers, status, error, checked_at, tools, revision } = server;
  const approved = tools.filter((tool) => tool.approved).map((tool) => tool.name);
  const [chosen, setChosen] = useState<string[]>(approved);
  const [removing, setRemoving] = useState(false);
  const seen = approved.join();
  // Another look, or another device, may have changed what is approved.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => setChosen(approved), [seen, revision]);
  const refresh = useAct(async () => {
    changed(await refreshServer(id));
    announce(`${name}: asked again.`);
  }, `ask ${id}`);
  const approve = useAct(async () => {
    try {
      changed(await approveTools(id, chosen, revision));
      announce(`${name}: saved.`);
    } catch (failed) {
      reload();
      throw failed;
    }
  }, `approve ${id}`);
  const remove = useAct(async () => {
    await removeServer(id);
    announce(`${name}: removed.`);
    removed();
  }, `remove ${id}`);
  const dirty = [...chosen].sort().join() !== [...approved].sort().join();
  return (
    <li className="server" aria-label={name}>
      <p>
        <strong>{name}</strong> <span className="soft">{url}</span>
      </p>
      <p className="soft">
        {status === "ready" ? (
          plural(tools.length, "tool")
        ) : (
          <span className="state bad">can’t be asked</span>
        )}
        , asked <Age at={checked_at} />
        {headers.length > 0 && <> · sends {headers.join(", ")}</>}
      </p>
      {error && (
        <p>
          <strong>{error.message}</strong> {error.next}
        </p>
      )}
      {tools.length > 0 && (
        <fieldset>
          <legend>Tools that may be used</legend>
          {tools.map((tool) => (
            <ToolChoice
              key={tool.name}
              tool={tool}
              chosen={chosen.includes(tool.name)}
              choose={(on) =>
                setChosen(on ? [...chosen, tool.name] : chosen.filter((one) => one !== tool.name))
              }
            />
          ))}
        </fieldset>
      )}
      <p className="deeds">
        {dirty && (
          <button type="button" className="main" disabled={approve.busy} onClick={approve.run}>
            Save which may be used
          </button>
        )}
        <button
          type="button"
          className="small"
          aria-label={`Ask again: ${name}`}
          disabled={refresh.busy}
          onClick={refresh.run}
        >
          {refresh.busy ? "Asking" : "Ask again"}
        </button>
        {!removing && (
          <button
            type="button"
            className="plain small"
            aria-label={`Remove: ${name}`}
            onClick={() => setRemoving(true)}
          >
            Remove
          </button>
        )}
      </p>
      {removing && <Sure name={name} busy={remove.busy} keep={() => setRemoving(false)} go={remove.run} />}
      {[refresh, approve, remove].map(
        ({ problem, dismiss }, at) =>
          problem && <ProblemNote key={at} problem={problem} still="It is as it was." dismiss={dismiss} />,
      )}
    </li>
  );
}

interface SureProps {
  name: string;
  busy: boolean;
  keep: () => void;
  go: () => void;
}

function Sure({ name, busy, keep, go }: SureProps) {
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus(), []);
  return (
    <div className="remove" role="group" aria-label={`Remove ${name}`}>
      <p>Remove {name}, and the secrets that it was given?</p>
      <p className="deeds">
        <button type="button" ref={safe} onClick={keep}>
          Keep it
        </button>
        <button type="button" disabled={busy} onClick={go}>
          Remove it
        </button>
      </p>
    </div>
  );
}

interface ChoiceProps {
  tool: McpTool;
  chosen: boolean;
  choose: (on: boolean) => void;
}

function ToolChoice({ tool, chosen, choose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="tool-choice">
      <label className="switch">
        <input
          type="checkbox"
          checked={chosen}
          disabled={tool.unusable !== ""}
          aria-describedby={id}
          onChange={(event) => choose(event.target.checked)}
        />
        <code>{tool.name}</code>
      </label>
      <div id={id} className="soft">
        {tool.changed && (
          <p className="state bad">
            It was changed since you approved it, and is not used until you do so again.
          </p>
        )}
        {tool.unusable && <p>{tool.unusable}</p>}
        <p dir="auto">It says of itself: {tool.description || "nothing"}</p>
      </div>
      <details>
        <summary>
          What it takes<span className="unseen">: {tool.name}</span>
        </summary>
        <pre tabIndex={0}>{tool.schema_text}</pre>
      </details>
    </div>
  );
}

function AddServer({ added }: { added: (server: McpServer) => void }) {
  const id = useId();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [secrets, setSecrets] = useState("");
  const [wrong, setWrong] = useState("");
  const act = useAct(async () => {
    const found = headersIn(secrets);
    if ("wrong" in found) return;
    const server = await addServer({ name: name.trim(), url: url.trim(), headers: found.headers });
    setName("");
    setUrl("");
    setSecrets("");
    announce(`${server.name}: added. None of its tools is approved yet.`);
    added(server);
  });
  return (
    <details className="add-server">
      <summary>Add a server</summary>
      <form
        noValidate
        autoComplete="off"
        aria-label="Add a server"
        onSubmit={(event) => {
          event.preventDefault();
          const found = headersIn(secrets);
          setWrong("wrong" in found ? found.wrong : "");
          if (!("wrong" in found)) act.run();
        }}
      >
        <label htmlFor={`${id}-name`}>Name, in small letters</label>
        <input
          id={`${id}-name`}
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          readOnly={act.busy}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-url`}>Address</label>
        <input
          id={`${id}-url`}
          type="url"
          inputMode="url"
          placeholder="https://"
          value={url}
          readOnly={act.busy}
          onChange={(event) => setUrl(event.target.value)}
        />
        <label htmlFor={`${id}-secrets`}>Headers with its secrets, one on each line</label>
        <textarea
          id={`${id}-secrets`}
          rows={2}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="Authorization: Bearer …"
          aria-describedby={`${id}-help`}
          value={secrets}
          readOnly={act.busy}
          onChange={(event) => setSecrets(event.target.value)}
        />
        <p className="soft" id={`${id}-help`}>
          They are stored, sent to this server alone, and never shown again. Its host has to be among the
          allowed ones.
        </p>
        {wrong && (
          <p role="alert" className="state bad">
            {wrong}
          </p>
        )}
        <p className="deeds">
          <button
            type="submit"
            className="main"
            disabled={act.busy || name.trim() === "" || url.trim() === ""}
          >
            {act.busy ? "Asking it" : "Add"}
          </button>
        </p>
        {act.problem && <ProblemNote problem={act.problem} still="It was not added." dismiss={act.dismiss} />}
      </form>
    </details>
  );
}
