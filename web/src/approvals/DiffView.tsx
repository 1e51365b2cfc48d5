import type { Diff, FieldDiff } from "../api/approval";
import { noteIn, notesNamed } from "../markdown/links";
import { Text } from "../markdown/Text";
import { Go } from "../route/Go";
import { compared, madeText, shown } from "./words";

/** What would change: each field before and after, texts line by line. */
export function DiffView({ diff }: { diff: Diff }) {
  const { target, fields } = diff;
  const note = target?.link ? noteIn(target.link) : null;
  return (
    <div className="diff">
      {target && (
        <p>
          <span className="soft">In </span>
          {note === null ? target.title : <Go room={{ at: "note", id: note }}>{target.title}</Go>}
        </p>
      )}
      {fields.length === 0 && !diff.trouble && (
        <p className="soft">As things are, it would change nothing.</p>
      )}
      <dl>
        {shortFirst(fields).map((field) => (
          <div key={field.field}>
            <dt>{field.field === "deleted" ? "in the bin" : field.field.replaceAll("_", " ")}</dt>
            <dd>
              <Change field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** A title tells what the long text below it is. */
function shortFirst(fields: FieldDiff[]): FieldDiff[] {
  return [...fields].sort((a, b) => Number(Boolean(a.lines)) - Number(Boolean(b.lines)));
}

function Change({ field }: { field: FieldDiff }) {
  const text = madeText(field);
  if (text !== null) return <Made text={text} />;
  return field.lines ? <Lines lines={field.lines} /> : <Values field={field} />;
}

/**
 * The text of a note that is to be made, as it would look. Nobody has checked the addresses in it, so it links to notes
 * alone; as it is written, it hides none of them.
 */
function Made({ text }: { text: string }) {
  return (
    <>
      <div className="made" dir="auto" tabIndex={0} role="group" aria-label="As it would look">
        <Text text={text} links={notesNamed(text)} />
      </div>
      <details>
        <summary className="soft">As it is written</summary>
        <pre tabIndex={0} dir="auto" aria-label="As it is written">
          {text}
        </pre>
      </details>
    </>
  );
}

function Values({ field: { before, after } }: { field: FieldDiff }) {
  return (
    <>
      {before !== null && before !== undefined && (
        <del dir="auto">
          <span className="unseen">Before: </span>
          {shown(before)}
        </del>
      )}
      <ins dir="auto">
        <span className="unseen">After: </span>
        {shown(after)}
      </ins>
    </>
  );
}

const SPOKEN = { added: "Added: ", removed: "Taken out: ", same: "", gap: "" };

function Lines({ lines }: { lines: string[] }) {
  return (
    <div className="lines" tabIndex={0} role="group" aria-label="Line by line">
      {compared(lines).map(({ kind, text }, at) => (
        <p key={at} data-kind={kind} dir="auto">
          {SPOKEN[kind] && <span className="unseen">{SPOKEN[kind]}</span>}
          {kind === "gap" ? text || "…" : text || "\u00a0"}
        </p>
      ))}
    </div>
  );
}
