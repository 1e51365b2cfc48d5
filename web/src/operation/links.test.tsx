/** Which links of an agent task's result are drawn: those to the sources that it lists. */
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { Result, SCHEMA } from "../api/result";
import { ResultView } from "./ResultView";

const EVIL = "https://evil.example/x";

it("a result links to its own sources, and to nothing else", async () => {
  const forms = [`[words](${EVIL} 't')`, `[words][1]`, `<${EVIL}>`, EVIL, "#/notes/02b", "[b](#/notes/02b)"];
  const rest = [`[a](${EVIL})`, EVIL];
  const result = Result.parse({
    schema: SCHEMA,
    summary: `See [the page](https://example.org/read), ${forms.join(", ")}.\n\n[1]: ${EVIL}`,
    claims: [{ claim: `[a](${EVIL})`, confidence: null, evidence: rest, sources: [] }],
    sources: [{ id: "S1", title: "A page", url: "https://example.org/read", note_id: null }],
    risks: rest,
    themes: rest,
    portfolio_impact: rest,
    confidence: null,
    artifacts: [{ kind: "list", title: EVIL, items: rest }],
    flags: rest,
  });
  const { prelude } = await prerender(<ResultView result={result} citations={[]} />);
  const out = (await new Response(prelude).text()).replaceAll("<!-- -->", "");
  expect(out).toContain("the page</a>, words, words, ");
  expect([...out.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(["https://example.org/read"]);
});
