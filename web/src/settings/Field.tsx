import { useEffect, useId, useRef, useState } from "react";
import type { Name, Settings, SettingsAnswer } from "../api/settings";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { useDraft } from "../state/useDraft";
import { linesIn, told, type Row } from "./rows";
import { settings } from "./settings";

/** One setting: its value, its default, the way back to it, and what went wrong with it. */
export function Field({ row, answer }: { row: Row; answer: SettingsAnswer }) {
  const id = useId();
  const value = answer.settings[row.name];
  const draft = useDraft(asText(value));
  // The last thing wanted, and the text that it was typed as.
  const last = useRef<{ to: Settings[Name] | null; text: string | null }>({ to: null, text: null });
  const [meant, setMeant] = useState<Settings[Name] | null>(null);
  const [saved, setSaved] = useState(false);
  const act = useAct(async () => {
    let sent: typeof last.current;
    do {
      sent = last.current;
      try {
        await settings.put(row.name, sent.to);
        if (sent.text !== null) draft.stored(sent.text);
      } catch (error) {
        // What was wanted meanwhile is tried all the same.
        if (last.current === sent) throw error;
      }
    } while (last.current !== sent);
    setSaved(true);
    announce(`${row.label}: saved.`);
  });
  const save = (to: Settings[Name] | null, text: string | null = null) => {
    last.current = { to, text };
    setMeant(to);
    setSaved(false);
    act.run();
  };
  // While it is on its way, it shows where it was put.
  const seen = act.busy && meant !== null ? meant : value;
  const dirty = row.kind !== "switch" && row.kind !== "choice" && draft.typed;
  const keep = () => {
    const onItsWay = act.busy && last.current.text === draft.text;
    if (dirty && !onItsWay) save(parsed(row, draft.text), draft.text);
  };
  // What is half typed is not lost: leaving the field saves it, as Enter does, and so does leaving the page.
  const leave = useRef<() => void>(() => undefined);
  useEffect(() => {
    leave.current = () => {
      if (act.problem === null) keep();
    };
  });
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") leave.current();
    };
    document.addEventListener("visibilitychange", hide);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      leave.current();
    };
  }, []);
  const write = (to: string | null) => {
    draft.write(to);
    setSaved(false);
    act.dismiss();
  };
  const common = {
    id,
    value: draft.text,
    "aria-describedby": `${id}-help`,
    "aria-invalid": act.problem !== null && act.problem.status === 422,
  };
  return (
    <form
      className="setting"
      noValidate
      aria-label={row.label}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
      onKeyDown={({ key }) => {
        // What Escape leaves is as it was.
        if (key === "Escape" && dirty) write(null);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) leave.current();
      }}
    >
      {row.kind === "choice" ? (
        <fieldset aria-describedby={`${id}-help`}>
          <legend>{row.label}</legend>
          {row.options.map((option) => (
            <label key={option.value} className="switch">
              <input
                type="radio"
                name={id}
                checked={seen === option.value}
                onChange={() => save(option.value)}
              />
              <span>{option.label}</span>
            </label>
          ))}
        </fieldset>
      ) : row.kind === "switch" ? (
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            checked={seen === true}
            aria-describedby={`${id}-help`}
            onChange={(event) => save(event.target.checked)}
          />
          <span>{row.label}</span>
        </label>
      ) : (
        <label htmlFor={id}>{row.label}</label>
      )}
      {row.kind === "text" && (
        <input
          {...common}
          list={`${id}-list`}
          placeholder={row.empty}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => write(event.target.value)}
        />
      )}
      {row.kind === "text" && (
        <datalist id={`${id}-list`}>
          {names(row.name, answer).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      {row.kind === "number" && (
        <input
          {...common}
          type="number"
          min={row.low}
          max={row.high}
          step={row.step}
          onChange={(event) => write(event.target.value)}
        />
      )}
      {row.kind === "lines" && (
        <textarea
          {...common}
          rows={3}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => write(event.target.value)}
        />
      )}
      <p className="soft" id={`${id}-help`}>
        {row.help} Default: {told(row, answer.defaults)}.
      </p>
      <p className="deeds">
        {dirty && (
          <button type="submit" className="main" disabled={act.busy}>
            Save
          </button>
        )}
        {answer.overrides.includes(row.name) && (
          <button
            type="button"
            className="plain small"
            aria-label={`${row.label}: back to the default`}
            disabled={act.busy}
            onClick={() => {
              draft.write(null);
              save(null);
            }}
          >
            Back to the default
          </button>
        )}
        {act.busy && <span className="soft">Saving…</span>}
        {saved && !dirty && <span className="state">Saved</span>}
      </p>
      {act.problem && (
        <ProblemNote problem={act.problem} still={`It is still ${told(row, answer.settings)}.`} />
      )}
    </form>
  );
}

const asText = (value: Settings[Name]) => (Array.isArray(value) ? value.join("\n") : String(value));

function parsed(row: Row, text: string): Settings[Name] | null {
  switch (row.kind) {
    case "number":
      return text.trim() === "" ? null : Number(text);
    case "text":
      return text.trim() === "" ? null : text.trim();
    case "lines":
      return linesIn(text);
    case "switch":
    case "choice":
      return null;
  }
}

/** What can be named there; anything else can be typed all the same. */
function names(name: Name, answer: SettingsAnswer): string[] {
  if (name === "time_zone") return ["UTC", ...Intl.supportedValuesOf("timeZone")];
  return answer.models ?? ["offline"];
}
