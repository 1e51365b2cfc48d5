import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CiteContext } from "./CiteContext";
import { Markdown } from "./Markdown";

const html = (text: string, more: { title?: string; quote?: string; cited?: boolean } = {}) =>
  renderToStaticMarkup(
    <CiteContext value={(number) => <a data-cite={number}>{number}</a>}>
      <Markdown text={text} {...more} />
    </CiteContext>,
  );

describe("hostile text", () => {
  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<svg/onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<iframe src=https://evil.example></iframe>",
    "<style>body{display:none}</style>",
    '<div style="position:fixed" onclick="alert(1)">x</div>',
    "<!-- comment --><form action=https://evil.example><input></form>",
  ])("%s is shown as text or not at all", (text) => {
    const out = html(text);
    expect(out).not.toMatch(/<(script|img|svg|iframe|style|form|input|object)\b/i);
    expect(out.replace(/&lt;.*?&gt;/gs, "")).not.toMatch(/<[^>]* (on\w+|style)=/i);
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    "[x](#/operations/1)",
    "[x](#key=stolen)",
    "[x](https://memex.example@evil.example/)",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "<javascript:alert(1)>",
  ])("%s is no link", (text) => {
    expect(html(text)).not.toContain("href");
  });

  it("fetches no image, and links to it instead", () => {
    const out = html("![a cat](https://tracker.example/cat.png) ![](data:image/png;base64,AAAA)");
    expect(out).not.toContain("<img");
    expect(out).toContain('href="https://tracker.example/cat.png"');
    expect(out).toContain("Image: a cat");
  });

  it("keeps links to the web and to notes", () => {
    expect(html("[a](https://example.org/x)")).toContain('rel="noopener noreferrer nofollow"');
    expect(html("[a](#/notes/01abc)")).toContain('href="#/notes/01abc"');
    expect(html("see https://example.org")).toContain('href="https://example.org"');
  });

  it("shows a huge text as it is, without parsing it", () => {
    expect(html("*".repeat(500_000))).toContain('<pre class="raw">');
  });
});

describe("citations", () => {
  it("become numbers, also several in one marker", () => {
    const out = html("Yes. [cite: 1] No. [cite: 1, 2]");
    expect(out).toContain('Yes.<sup class="cites"><span><a data-cite="1">1</a></span></sup> No.');
    expect(out).toContain('<span><a data-cite="1">1</a></span><span><a data-cite="2">2</a></span>');
  });

  it("stay text in code", () => {
    expect(html("`[cite: 1]`")).toContain("<code>[cite: 1]</code>");
  });

  it("work in tables, lists and emphasis", () => {
    expect(html("| a |\n|--|\n| b [cite: 3] |")).toContain('data-cite="3"');
    expect(html("- *b [cite: 4]*")).toContain('data-cite="4"');
  });

  it("leave what only looks like one", () => {
    expect(html("[cite: x] [cite:] [citation: 1]")).not.toContain("<sup");
  });
});

describe("structure", () => {
  it("shifts headings below the note's title, and drops one that repeats it", () => {
    expect(html("# Title\n\n# Other\n\n## Sub", { title: "Title" })).not.toContain("Title");
    expect(html("# Other\n\n## Sub")).toMatch(/<h2>Other<\/h2>\s*<h3>Sub<\/h3>/);
  });

  it("leaves out a last list of sources only where the page lists them", () => {
    const text = "Text.\n\n**Sources:**\n1. [A](https://a.example)";
    expect(html(text)).toContain("Sources:");
    expect(html(text, { cited: true })).not.toContain("Sources:");
    expect(html("Sources:\n\n1. a\n\nText.", { cited: true })).toContain("Sources:");
  });

  it("aligns table cells without inline style", () => {
    const out = html("| a |\n|--:|\n| 1 |");
    expect(out).toContain('data-align="right"');
    expect(out).not.toContain("style=");
  });
});

describe("a page of a vault", () => {
  it("links to the search for a page's title, in lists and tables, too", () => {
    expect(html("See [[Pears|the *old* ones]].")).toContain("[[Pears|the ");
    expect(html("See [[Pears & walls|the old ones]].")).toContain(
      '<a title="Search for “Pears &amp; walls”" href="#/?q=Pears+%26+walls">the old ones</a>',
    );
    expect(html("- [[Pears#In a row]]")).toContain('href="#/?q=Pears"');
    expect(html("| a |\n|--|\n| [[Pears\\|words]] |")).toMatch(/href="#\/\?q=Pears"[^>]*>words</);
  });

  it("keeps a title from asking for tags", () => {
    expect(html("[[C# notes]]")).toContain('href="#/?q=C"');
  });

  it("leaves code, links and headings of the same note alone", () => {
    expect(html("`[[Pears]]`")).toContain("<code>[[Pears]]</code>");
    expect(html("[a [[b]]](https://x.example)")).toContain("[[b]]</a>");
    expect(html("[[#Walls]]")).toContain("<p>Walls</p>");
  });

  it("names a file that it does not keep", () => {
    const out = html("Look: ![[photo.png|300]]");
    expect(out).toContain('<span class="soft">photo.png (not kept here)</span>');
    expect(out).not.toMatch(/<img|href|!\[/);
    expect(html("![[Pears]]")).toContain('href="#/?q=Pears"');
  });

  it("folds its front matter, which never is a heading", () => {
    const out = html("---\ntitle: Pears\ntags: [a]\n---\n\nText.");
    expect(out).toMatch(
      /<details class="properties"><summary>Properties<\/summary><pre[^>]*>title: Pears\ntags/,
    );
    expect(out).not.toMatch(/<h\d|<hr/);
    expect(html("---\n---\nText.")).not.toContain("Properties");
  });

  it("is found by a quote of its source", () => {
    expect(html("They like [[Walls|a wall]] best.", { quote: "like [[Walls|a wall]] best" })).toMatch(
      /<mark>a wall<\/mark>/,
    );
  });
});

describe("a quoted passage", () => {
  const note = "First.\n\nIt was **most** of the [old](https://x.example) studies, not all.\n\nLast.";

  it("is marked across emphasis and links, whatever its spacing and case", () => {
    const out = html(note, { quote: "It was most of the old\nstudies,  not ALL." });
    expect(out).toContain("<mark>It was </mark><strong><mark>most</mark></strong>");
    expect(out).toContain("<mark> studies, not all.</mark>");
  });

  it("may be quoted as Markdown source", () => {
    expect(html(note, { quote: "It was **most** of the [old](https://x.example) studies" })).toContain(
      "<mark> studies</mark>",
    );
  });

  it("is marked in accents, other scripts and code", () => {
    expect(html("Ein schöner Tag.", { quote: "scho\u0308ner" })).toContain("<mark>schöner</mark>");
    expect(html("قبل النوم", { quote: "النوم" })).toContain("<mark>النوم</mark>");
    expect(html("run `make it` now", { quote: "run make it now" })).toContain(
      "<mark><code>make it</code></mark>",
    );
  });

  it("that is not there marks nothing", () => {
    expect(html(note, { quote: "nowhere to be found" })).not.toContain("<mark>");
    expect(html(note, { quote: "…" })).not.toContain("<mark>");
  });
});
