import { NoteName } from "../feed/NoteName";
import { shown } from "./words";

const NOTES = ["note_id", "source_note_id"];

/** Whoever decides sees all of it: what is more than words or a list of them stands as data. */
function whole(value: unknown): string {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  const plain = parts.every((part) => typeof part !== "object" || part === null);
  return plain ? shown(value) : JSON.stringify(value);
}

/** What a call is asked for: a note by its title, all else as plain text. Other ids say nothing to a person. */
export function Arguments({ of, className }: { of: Record<string, unknown>; className?: string }) {
  const told = Object.entries(of).filter(([name]) => NOTES.includes(name) || !name.endsWith("_id"));
  if (told.length === 0) return null;
  return (
    <dl className={className}>
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replace(/_id$/, "").replaceAll("_", " ")}</dt>
          <dd dir="auto">
            {NOTES.includes(name) && typeof value === "string" && value !== "" ? (
              <NoteName id={value} />
            ) : (
              whole(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
