/** The text of a note that is to be made is shown as it would look, and can do nothing. */
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { Diff } from "../api/approval";
import { DiffView } from "./DiffView";

const EVIL = "https://evil.example/x";

async function drawn(field: object): Promise<string> {
  const diff = Diff.parse({ fields: [{ before: null, ...field }] });
  const { prelude } = await prerender(<DiffView diff={diff} />);
  return (await new Response(prelude).text()).replaceAll("<!-- -->", "");
}

it("as Markdown, with links to notes alone, without HTML and without images; and as it is written", async () => {
  const text = `## Points\n\n- **Small** [1](#/notes/01a) [x](${EVIL}) ![i](${EVIL})\n\n<img src=${EVIL}>\n\n[2]: ${EVIL}`;
  const out = await drawn({ field: "text", after: text, lines: ["+## Points"] });
  expect(out).toContain("<strong>Small</strong>");
  expect([...out.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(["#/notes/01a"]);
  expect(out).not.toMatch(/<(?:img|iframe|script)/);
  // Nothing is hidden from whoever decides.
  const written = out.slice(out.indexOf("As it is written"));
  expect(written).toContain(`[x](${EVIL})`);
});

it("but what changes a text is compared line by line", async () => {
  const out = await drawn({ field: "body", before: "a", after: "**b**", lines: ["-a", "+**b**"] });
  expect(out).toContain("Added: ");
  expect(out).not.toContain("<strong>");
});
