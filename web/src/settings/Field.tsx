import { useEffect, useId, useRef, useState } from "react";
import type { Name, Settings, SettingsAnswer } from "../api/settings";
import { announce } from "../parts/announce";
import { ProblemNote } from "../parts/ProblemNote";
import { useAct } from "../state/useAct";
import { linesIn, told, type Row } from "./rows";
import { settings } from "./settings";

/** One setting: its value, its default, the way back to it, and what went wrong with it. */
export function Field({ row, answer }: { row: Row; answer: SettingsAnswer }) {
  const id = useId();
  const value = answer.settings[row.name];
  const shown = asText(value);
  const [text, setText] = useState(shown);
  // The server brings values into shape, and another device may have changed them.
  useEffect(() => setText(shown), [shown]);
  const wanted = useRef<Settings[Name] | null>(null);
  const [saved, setSaved] = useState(false);
  const act = useAct(async () => {
    await settings.put(row.name, wanted.current);
    const now = settings.get().answer?.settings[row.name];
    if (now !== undefined) setText(asText(now));
    setSaved(true);
    announce(`${row.label}: saved.`);
  });
  const save = (to: Settings[Name] | null) => {
    if (act.busy) return;
    wanted.current = to;
    setSaved(false);
    act.run();
  };
  // While it is on its way, it shows where it was put.
  const seen = act.busy && wanted.current !== null ? wanted.current : value;
  const dirty = row.kind !== "switch" && row.kind !== "choice" && text !== shown;
  // What is half typed is not lost: leaving the field saves it, as Enter does, and so does leaving the page.
  const leave = useRef<() => void>(() => undefined);
  useEffect(() => {
    leave.current = () => {
      if (dirty && act.problem === null) save(parsed(row, text));
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
  const write = (to: string) => {
    setText(to);
    setSaved(false);
    act.dismiss();
  };
  const common = {
    id,
    value: text,
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
        if (dirty) save(parsed(row, text));
      }}
      onKeyDown={({ key }) => {
        // What Escape leaves is as it was.
        if (key === "Escape" && dirty) write(shown);
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
              setText(shown);
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
        <ProblemNote problem={act.problem} saved={`It is still ${told(row, answer.settings)}.`} />
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
