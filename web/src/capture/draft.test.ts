import { describe, expect, it } from "vitest";
import { Config } from "../api/config";
import {
  askedBy,
  EMPTY,
  keepDraft,
  loadDraft,
  onlyUrl,
  stamped,
  switched,
  tagsIn,
  toCapture,
  type Draft,
} from "./draft";
import { offered, price } from "./price";

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    items,
  };
}

const written = (text: string, more: Partial<Draft> = {}): Draft => ({ ...EMPTY, text, ...more });
const send = (draft: Draft) => {
  const body = toCapture(draft);
  if (!body) throw new Error("nothing to send");
  return stamped(draft, body);
};

describe("a draft", () => {
  it("survives on the shelf until it is emptied", () => {
    const shelf = memory();
    const draft = send(written("a thought", { tags: "x", research: true }));
    keepDraft(shelf, draft);
    expect(loadDraft(shelf)).toEqual(draft);
    keepDraft(shelf, EMPTY);
    expect(shelf.items.size).toBe(0);
    expect(loadDraft(shelf)).toBe(EMPTY);
  });

  it("is empty when the shelf holds rubbish", () => {
    const shelf = memory();
    shelf.setItem("memex.draft", "{not json");
    expect(loadDraft(shelf)).toBe(EMPTY);
  });

  it("keeps its key for the same words, also after a reload, and takes a new one for others", () => {
    const shelf = memory();
    const first = send(written("a thought"));
    keepDraft(shelf, first);
    expect(send(loadDraft(shelf)).sent.key).toBe(first.sent.key);
    expect(send({ ...first, text: "another" }).sent.key).not.toBe(first.sent.key);
    expect(send({ ...first, research: true }).sent.key).not.toBe(first.sent.key);
    expect(first.sent.key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("what is sent", () => {
  it("is nothing for blanks", () => expect(toCapture(written(" \n "))).toBeNull());

  it("is the text as typed, with only what was set", () => {
    expect(toCapture(written("  a\n"))).toEqual({ source: "web", text: "  a\n" });
    expect(toCapture(written("a", { tags: "#x, y", research: true }))).toEqual({
      source: "web",
      text: "a",
      tags: ["x", "y"],
      research: true,
    });
  });

  it.each([
    [" https://example.org/a?b#c ", "https://example.org/a?b#c"],
    ["HTTP://EXAMPLE.ORG", "HTTP://EXAMPLE.ORG"],
    ["see https://example.org", null],
    ["https://example.org and more", null],
    ["javascript:alert(1)", null],
    ["https://", null],
  ])("%j as an address is %j", (text, url) => expect(onlyUrl(text)).toBe(url));

  it("reads tags however they are written", () => {
    expect(tagsIn(" #a,b  ##c ")).toEqual(["a", "b", "c"]);
  });
});

describe("the switch for research", () => {
  it("is on by hand, by a hashtag, or by a tag", () => {
    expect(askedBy(written("Why?"))).toBeNull();
    expect(askedBy(written("Why?", { research: true }))).toBe("switch");
    expect(askedBy(written("Why? #research"))).toBe("tag");
    expect(askedBy(written("Why?", { tags: "garden #Research" }))).toBe("tag");
    expect(toCapture(written("Why? #research"))).toEqual({
      source: "web",
      text: "Why? #research",
      research: true,
    });
  });

  it("is off only when nothing asks any more", () => {
    const off = switched(written("Why? #research", { tags: "garden research", research: true }), false);
    expect(off).toMatchObject({ text: "Why?", tags: "garden", research: false });
    expect(askedBy(off)).toBeNull();
    expect(switched(written("Why?", { tags: "a, b", research: true }), false).tags).toBe("a, b");
  });
});

describe("the price of research", () => {
  it("is said before it is paid", () => {
    expect(price({ paid: false })).toBe("free, from your own notes");
    expect(price({ paid: true, cost_usd: 3, engine: "Deep Research" })).toBe("about $3.00, by Deep Research");
    expect(price({ paid: true })).toBe("costs money");
    expect(price(null)).toBe("may cost money, within the day’s budget");
    expect(price({ paid: false, engine: "Memex itself", model: true })).toBe(
      "by Memex itself, free but for the chat’s model",
    );
  });

  it("is that of whoever was chosen to do it", () => {
    const deep = { paid: true, cost_usd: 3 };
    const local = { paid: false, model: true };
    const told = Config.parse({ research: deep, engines: { deep, local } });
    expect(offered(told, "local")).toEqual(local);
    expect(offered(told, undefined)).toEqual(deep);
    expect(offered(told, "later")).toEqual(deep);
    expect(offered(Config.parse({ research: deep }), "local")).toEqual(deep);
    expect(offered(Config.parse({}), "local")).toBeNull();
  });
});
