import type { Artifact as Made, Result } from "../api/result";
import { Cites } from "./Cites";
import { numbersOf } from "./result";

/** What an agent laid out as data, drawn here; nothing in it is markup. */
export function Artifact({ artifact, result }: { artifact: Made; result: Result }) {
  return (
    <figure className="artifact">
      <figcaption dir="auto">
        {artifact.title}
        <Cites numbers={numbersOf(result, artifact.sources)} />
      </figcaption>
      <Drawn artifact={artifact} />
    </figure>
  );
}

function Drawn({ artifact }: { artifact: Made }) {
  switch (artifact.kind) {
    case "table":
      return (
        <Grid
          name={artifact.title}
          columns={artifact.columns}
          rows={artifact.rows.map((cells) => ({ cells }))}
        />
      );
    case "comparison":
      return (
        <Grid
          name={artifact.title}
          columns={["", ...artifact.subjects]}
          rows={artifact.aspects.map(({ name, values }) => ({ head: name, cells: values }))}
        />
      );
    case "timeline":
      return (
        <ol className="timeline">
          {artifact.events.map(({ at, text }, index) => (
            <li key={index}>
              <strong dir="auto">{at}</strong> <span dir="auto">{text}</span>
            </li>
          ))}
        </ol>
      );
    case "list":
      return (
        <ul className="bullets">
          {artifact.items.map((item, index) => (
            <li key={index} dir="auto">
              {item}
            </li>
          ))}
        </ul>
      );
  }
}

interface GridProps {
  name: string;
  columns: string[];
  rows: { head?: string; cells: string[] }[];
}

function Grid({ name, columns, rows }: GridProps) {
  return (
    <div className="scrolls" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) =>
              column === "" ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col" dir="auto">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ head, cells }, at) => (
            <tr key={at}>
              {head !== undefined && (
                <th scope="row" dir="auto">
                  {head}
                </th>
              )}
              {cells.map((cell, column) => (
                <td key={column} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
