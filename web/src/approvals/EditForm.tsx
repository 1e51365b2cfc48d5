import { useEffect, useId, useRef, useState } from "react";
import type { Approval } from "../api/approval";
import { changesFrom, fieldsOf, type Field } from "./draft";

/** Kinds of fields that have one line. */
const LINES: readonly Field["kind"][] = ["line", "tags", "words", "number"];

interface Props {
  approval: Approval;
  busy: boolean;
  approve: (changes: Record<string, unknown>) => void;
  cancel: () => void;
}

/** The proposal with other words: what is approved is what stands here. */
export function EditForm({ approval, busy, approve, cancel }: Props) {
  const given = approval.action.arguments;
  const [fields, setFields] = useState(() => fieldsOf(given));
  const [wrong, setWrong] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  const write = (name: string, text: string) => {
    setWrong("");
    setFields(fields.map((one) => (one.name === name ? { ...one, text } : one)));
  };
  return (
    <form
      className="edit-proposal"
      ref={form}
      aria-label="Change the proposal"
      onSubmit={(event) => {
        event.preventDefault();
        const found = changesFrom(given, fields);
        if ("wrong" in found) setWrong(found.wrong);
        else approve(found.changes);
      }}
    >
      {fields.map(({ name, label, kind, text }) => {
        const common = {
          id: `${id}-${name}`,
          dir: "auto" as const,
          value: text,
          "aria-invalid": wrong === name,
        };
        return (
          <div key={name}>
            <label htmlFor={common.id}>{label}</label>
            {LINES.includes(kind) ? (
              <input
                {...common}
                {...(kind === "tags" ? { placeholder: "Tags", autoCapitalize: "none" } : {})}
                onChange={(event) => write(name, event.target.value)}
              />
            ) : (
              <textarea
                {...common}
                rows={kind === "text" ? 8 : 4}
                spellCheck={kind !== "json"}
                onChange={(event) => write(name, event.target.value)}
              />
            )}
            {wrong === name && (
              <p role="alert" className="state bad">
                {kind === "number" ? "This has to be a number." : "This is no valid JSON."}
              </p>
            )}
          </div>
        );
      })}
      <p className="deeds">
        <button type="button" onClick={cancel}>
          Leave it as proposed
        </button>
        <button type="submit" className="main" disabled={busy}>
          Approve with these words
        </button>
      </p>
    </form>
  );
}
