import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CiteContext } from "./CiteContext";
import { Markdown } from "./Markdown";

type More = { title?: string; quote?: string; cited?: boolean; links?: string[] };
const html = (text: string, more: More = {}) =>
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

describe("a model's text", () => {
  const note = "#/notes/01abc";
  const page = "https://example.org/read";
  const links = [note, page, "https://example.org/a_(b)"];

  const forms = (url: string) => [
    `[words](${url})`,
    `[words](<${url}>)`,
    `[words](${url} "title")`,
    `[words](${url} 'title')`,
    `[words](${url} (title))`,
    `[words](\n  ${url}\n  'title'\n)`,
    `[some [nested] words](${url})`,
    `[some \\] words](${url})`,
    `[**words** and \`code\`](${url})`,
    `[![words](https://example.org/x.png)](${url})`,
    `![words](${url})`,
    `[words][1]\n\n[1]: ${url}`,
    `[words][1]\n\n[1]: <${url}> 'title'`,
    `[words][1]\n\n[1]:\n  ${url}\n  "title"`,
    `[words][]\n\n[words]: ${url}`,
    `[words]\n\n[words]: ${url}`,
    `> [words][Ä]\n\n- item\n\n  [ä]: ${url}`,
    `![words][1]\n\n[1]: ${url}`,
    `| a |\n|--|\n| [words](${url}) |`,
    `text[^1]\n\n[^1]: words ([words](${url}))`,
  ];

  it.each([...forms("https://evil.example/x"), ...forms("#/notes/02invented")])(
    "%s is only its words where nobody read it",
    (text) => {
      const out = html(text, { links });
      expect(out).not.toMatch(/<a\b|href|evil\.example|02invented/);
      expect(out).toContain("words");
    },
  );

  it.each([...forms(page), ...forms(note)])("%s is a link where it was read", (text) => {
    const out = html(text, { links });
    expect(out).toMatch(text.includes(page) ? `href="${page}"` : `href="${note}"`);
    expect(html(text, { links: [] })).not.toContain("href");
  });

  it.each([
    "https://evil.example/x",
    "<https://evil.example/x>",
    "www.evil.example/x",
    "someone@evil.example",
    "<mailto:someone@evil.example>",
    "mailto:someone@evil.example",
  ])("the bare address %s stays text", (text) => {
    const out = html(`See ${text}.`, { links });
    expect(out).not.toMatch(/<a\b|href/);
    expect(out).toContain("evil.example");
  });

  it("draws a bare address that was read", () => {
    expect(html(`See ${page}.`, { links })).toContain(`<a href="${page}"`);
    expect(html(`<${page}>`, { links })).toContain(`<a href="${page}"`);
    expect(html("See https://example.org/a_(b).", { links })).toContain('href="https://example.org/a_(b)"');
  });

  it("takes two spellings of one address for the same, and no others", () => {
    const drawn = (url: string, one: string) => html(`[a](${url})`, { links: [one] }).includes("href");
    expect(drawn("HTTPS://EXAMPLE.org", "https://example.org/")).toBe(true);
    expect(drawn("https://example.org:443/ä", "https://example.org/%C3%A4")).toBe(true);
    expect(drawn("https://example.org/a&amp;b=1", "https://example.org/a&b=1")).toBe(true);
    expect(drawn("https://example.org/a/../b", "https://example.org/b")).toBe(true);
    for (const other of ["http://example.org/", "https://example.org/x", "https://example.org/?q=1"]) {
      expect(drawn(other, "https://example.org/")).toBe(false);
    }
    expect(drawn("#/notes/01ABC", note)).toBe(false);
    expect(drawn("https://example.org@evil.example/", "https://example.org/")).toBe(false);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "#/operations/1",
    "#key=stolen",
    "//evil.example",
    "https://me@example.org/",
  ])("never links to %s, even where it is listed", (url) => {
    expect(html(`[a](${url}) [b][1] <${url}>\n\n[1]: ${url}`, { links: [url] })).not.toContain("href");
  });

  it("shows HTML as text or not at all", () => {
    const out = html('<a href="https://evil.example">x</a>\n\n<A HREF=https://evil.example>y</A>', { links });
    expect(out).not.toMatch(/<a\b/i);
  });

  it("has footnotes that lead nowhere", () => {
    const out = html("It grows[^a].\n\n[^a]: So https://evil.example says.", { links });
    expect(out).not.toContain("href");
    expect(out).toContain("https://evil.example says.");
  });

  it("makes no search of a page's title, which would look like a source", () => {
    const out = html("See [[Pears|the old ones]], ![[photo.png]].", { links });
    expect(out).toContain("See the old ones, ");
    expect(out).not.toContain("href");
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
