import { useMemo, type ReactNode } from "react";
import type { Citation } from "../api/note";
import type { Claim, Result } from "../api/result";
import { CiteContext } from "../markdown/CiteContext";
import { Text } from "../markdown/Text";
import { CiteLink, Sources } from "../note/Sources";
import { Artifact } from "./Artifact";
import { Cites, Known } from "./Cites";
import { confidence, numbersOf, pieces, withCitations } from "./result";

/** What an agent task found: the answer, and of each claim on what it rests. */
export function ResultView({ result, citations }: { result: Result; citations: Citation[] }) {
  const known = useMemo(() => new Map(citations.map((one) => [one.number, one])), [citations]);
  const links = useMemo(() => result.sources.map(({ url }) => url), [result]);
  const draw = useMemo(
    () =>
      function Number(number: number) {
        const citation = known.get(number);
        return citation ? <CiteLink citation={citation} /> : <span>{number}</span>;
      },
    [known],
  );
  const listed = (title: string, lines: string[]) => (
    <Listed
      title={title}
      lines={lines.map((line, at) => (
        <Marked key={at} result={result} text={line} />
      ))}
    />
  );
  return (
    <Known value={known}>
      <section className="result" aria-label="Result">
        <CiteContext value={draw}>
          <Text text={withCitations(result, result.summary)} links={links} cited />
        </CiteContext>
        <p className="soft">Confidence in the whole: {confidence(result.confidence)}</p>
        {result.flags.length > 0 && (
          <div className="stale">
            <p>
              <strong>Take with care</strong>
            </p>
            <ul className="bullets">
              {result.flags.map((flag) => (
                <li key={flag}>{flag}</li>
              ))}
            </ul>
          </div>
        )}
        {result.claims.length > 0 && (
          <>
            <h2>Claims</h2>
            <ol className="claims">
              {result.claims.map((claim, at) => (
                <ClaimRow key={at} claim={claim} result={result} />
              ))}
            </ol>
          </>
        )}
        {result.artifacts.map((artifact, at) => (
          <Artifact key={at} artifact={artifact} result={result} />
        ))}
        {listed("Risks", result.risks)}
        {listed("What it means for your portfolio", result.portfolio_impact)}
        {listed("Themes", result.themes)}
        <Listed
          title="Companies"
          lines={result.companies.map(({ ticker, name }) => (
            <>
              <strong>{ticker}</strong> {name}
            </>
          ))}
        />
      </section>
      <Sources citations={citations} />
    </Known>
  );
}

function Listed({ title, lines }: { title: string; lines: ReactNode[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul className="bullets">
        {lines.map((line, at) => (
          <li key={at} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}

function ClaimRow({ claim, result }: { claim: Claim; result: Result }) {
  return (
    <li data-unsupported={claim.unsupported || undefined}>
      <p dir="auto">
        <Marked result={result} text={claim.claim} />
        <Cites numbers={numbersOf(result, claim.sources)} />
      </p>
      <p className="soft">
        {claim.unsupported && <strong className="state bad">No source bears this. </strong>}
        Confidence: {confidence(claim.confidence)}
      </p>
      {claim.evidence.map((passage, at) => (
        <blockquote key={at} dir="auto">
          {passage}
        </blockquote>
      ))}
    </li>
  );
}

/** A sentence with the numbers of its sources in it. */
function Marked({ result, text }: { result: Result; text: string }) {
  return pieces(result, text).map((piece, at) =>
    typeof piece === "string" ? <span key={at}>{piece}</span> : <Cites key={at} numbers={piece} />,
  );
}
